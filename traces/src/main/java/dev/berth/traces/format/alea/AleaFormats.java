package dev.berth.traces.format.alea;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.InfrastructureFormat;
import java.util.List;

/** Provides the format {@code alea-machines}. */
public final class AleaFormats implements FormatProvider {

  /** For the service loader. */
  public AleaFormats() {}

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new AleaInfrastructureFormat());
  }
}
