package dev.berth.traces.format.jsonl;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.FormatWriter;
import dev.berth.traces.HostEventsFormat;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code jsonl}. */
public final class JsonLinesFormats implements FormatProvider {

  /** For the service loader. */
  public JsonLinesFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new JsonWorkloadFormat());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new JsonInfrastructureFormat());
  }

  @Override
  public List<HostEventsFormat> hostEventsFormats() {
    return List.of(new JsonHostEventsFormat());
  }

  @Override
  public List<FormatWriter> writers() {
    return List.of(new JsonWriter());
  }
}
