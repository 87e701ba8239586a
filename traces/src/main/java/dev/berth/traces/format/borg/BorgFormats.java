package dev.berth.traces.format.borg;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code borg-simulator}. */
public final class BorgFormats implements FormatProvider {

  /** For the service loader. */
  public BorgFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new BorgWorkloadFormat());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new BorgInfrastructureFormat());
  }
}
