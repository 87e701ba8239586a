package dev.berth.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/** Lines in a log: after ten seconds, after thirty, and from then on every thirty seconds. */
final class ProgressLog implements ProgressSink {

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final Duration TICK = Duration.ofSeconds(1);

  private final PrintWriter log;
  private Duration due = FIRST;

  ProgressLog(PrintWriter log) {
    this.log = log;
  }

  @Override
  public Duration tick() {
    return TICK;
  }

  @Override
  public void refresh(Duration elapsed, Supplier<ProgressState> state) {
    if (elapsed.compareTo(due) < 0) {
      return;
    }
    print(ProgressText.full(state.get()));
    due = EVERY.multipliedBy(1 + elapsed.dividedBy(EVERY));
  }

  @Override
  public void print(String line) {
    log.println(line);
    log.flush();
  }
}
