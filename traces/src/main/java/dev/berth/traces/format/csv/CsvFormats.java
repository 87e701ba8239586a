package dev.berth.traces.format.csv;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.FormatWriter;
import dev.berth.traces.HostEventsFormat;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code csv}. */
public final class CsvFormats implements FormatProvider {

  /** For the service loader. */
  public CsvFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new CsvWorkloadFormat());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new CsvInfrastructureFormat());
  }

  @Override
  public List<HostEventsFormat> hostEventsFormats() {
    return List.of(new CsvHostEventsFormat());
  }

  @Override
  public List<FormatWriter> writers() {
    return List.of(new CsvWriter());
  }
}
