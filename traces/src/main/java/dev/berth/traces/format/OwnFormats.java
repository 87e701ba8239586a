package dev.berth.traces.format;

import dev.berth.traces.format.alea.AleaInfrastructureFormat;
import dev.berth.traces.format.bitbrains.BitbrainsWorkloadFormat;
import dev.berth.traces.format.borg.BorgInfrastructureFormat;
import dev.berth.traces.format.borg.BorgWorkloadFormat;
import dev.berth.traces.format.csv.CsvHostEventsFormat;
import dev.berth.traces.format.csv.CsvInfrastructureFormat;
import dev.berth.traces.format.csv.CsvWorkloadFormat;
import dev.berth.traces.format.csv.CsvWriter;
import dev.berth.traces.format.google.GoogleHostEventsFormat;
import dev.berth.traces.format.google.GoogleInfrastructureFormat;
import dev.berth.traces.format.google.GoogleWorkloadFormat;
import dev.berth.traces.format.jsonl.JsonHostEventsFormat;
import dev.berth.traces.format.jsonl.JsonInfrastructureFormat;
import dev.berth.traces.format.jsonl.JsonWorkloadFormat;
import dev.berth.traces.format.jsonl.JsonWriter;
import dev.berth.traces.format.kubectl.KubectlInfrastructureFormat;
import dev.berth.traces.format.kubectl.KubectlWorkloadFormat;
import dev.berth.traces.format.openb.OpenbInfrastructureFormat;
import dev.berth.traces.format.openb.OpenbWorkloadFormat;
import dev.berth.traces.format.qos.QosExperimentFormat;
import dev.berth.traces.format.qos.QosInfrastructureFormat;
import dev.berth.traces.format.qos.QosSimulationFormat;
import dev.berth.traces.format.sacct.SacctWorkloadFormat;
import dev.berth.traces.format.spot.SpotInfrastructureFormat;
import dev.berth.traces.format.spot.SpotWorkloadFormat;
import dev.berth.traces.format.swf.SwfLog;
import dev.berth.traces.spi.FormatProvider;
import dev.berth.traces.spi.FormatWriter;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;

/** The formats that Berth brings along. */
public final class OwnFormats implements FormatProvider {

  /** For the service loader. */
  public OwnFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(
        new BitbrainsWorkloadFormat(),
        new BorgWorkloadFormat(),
        new CsvWorkloadFormat(),
        new GoogleWorkloadFormat(),
        new JsonWorkloadFormat(),
        new KubectlWorkloadFormat(),
        new OpenbWorkloadFormat(),
        new QosExperimentFormat(),
        new QosSimulationFormat(),
        new SacctWorkloadFormat(),
        new SpotWorkloadFormat(),
        SwfLog.format());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(
        new AleaInfrastructureFormat(),
        new BorgInfrastructureFormat(),
        new CsvInfrastructureFormat(),
        new GoogleInfrastructureFormat(),
        new JsonInfrastructureFormat(),
        new KubectlInfrastructureFormat(),
        new OpenbInfrastructureFormat(),
        new QosInfrastructureFormat(),
        new SpotInfrastructureFormat());
  }

  @Override
  public List<HostEventsFormat> hostEventsFormats() {
    return List.of(
        new CsvHostEventsFormat(), new GoogleHostEventsFormat(), new JsonHostEventsFormat());
  }

  @Override
  public List<FormatWriter> writers() {
    return List.of(new CsvWriter(), new JsonWriter());
  }
}
