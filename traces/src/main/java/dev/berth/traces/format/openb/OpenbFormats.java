package dev.berth.traces.format.openb;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code alibaba-openb}. */
public final class OpenbFormats implements FormatProvider {

  /** For the service loader. */
  public OpenbFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new OpenbWorkloadFormat());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new OpenbInfrastructureFormat());
  }
}
