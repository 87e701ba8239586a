package dev.berth.traces.format.google;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.HostEventsFormat;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code google-2011}. */
public final class GoogleFormats implements FormatProvider {

  /** For the service loader. */
  public GoogleFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new GoogleWorkloadFormat());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new GoogleInfrastructureFormat());
  }

  @Override
  public List<HostEventsFormat> hostEventsFormats() {
    return List.of(new GoogleHostEventsFormat());
  }
}
