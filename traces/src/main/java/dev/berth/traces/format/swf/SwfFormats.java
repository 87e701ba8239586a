package dev.berth.traces.format.swf;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the format {@code swf}. */
public final class SwfFormats implements FormatProvider {

  /** For the service loader. */
  public SwfFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new SwfWorkloadFormat());
  }
}
