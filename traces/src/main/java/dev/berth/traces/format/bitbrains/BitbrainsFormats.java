package dev.berth.traces.format.bitbrains;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code bitbrains}. */
public final class BitbrainsFormats implements FormatProvider {

  /** For the service loader. */
  public BitbrainsFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new BitbrainsWorkloadFormat());
  }
}
