package dev.berth.testkit.contract;

import dev.berth.testkit.history.History;
import net.jqwik.api.SampleReportingFormat;

/**
 * Shortens the histories in reports of jqwik, which prints several of them in full. The failure
 * itself shows the smallest one.
 */
public final class HistoryReport implements SampleReportingFormat {

  /** For the service loader. */
  public HistoryReport() {}

  @Override
  public boolean appliesTo(Object value) {
    return value instanceof History && !FailureText.isDetailed();
  }

  @Override
  public Object report(Object value) {
    History history = (History) value;
    return "history of %s steps, seed %s (-D%s=true prints it)"
        .formatted(history.steps().size(), history.seed(), FailureText.DETAILS);
  }
}
