package dev.berth.cli.terminal;

import dev.berth.report.render.Printable;
import dev.berth.simulator.Progress;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Draws a progress bar on a terminal for runs that take longer than a delay. Clears the bar at the
 * end.
 */
public final class TerminalWatcher implements Watcher {

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int STEPS = 1000;
  private static final int REFRESH_MILLIS = 250;
  private static final int WIDTH = 79;

  private final PrintStream terminal;
  private final Duration patience;
  private @Nullable ProgressBar bar;

  public TerminalWatcher(PrintStream terminal) {
    this(terminal, PATIENCE);
  }

  /**
   * Creates a watcher.
   *
   * @param terminal where the bar is drawn
   * @param patience delay before the bar is drawn
   */
  public TerminalWatcher(PrintStream terminal, Duration patience) {
    this.terminal = terminal;
    this.patience = patience;
  }

  @Override
  public Progress begin(String run) {
    long startedAt = System.nanoTime();
    return (simulated, fraction) -> {
      long step = Math.round(fraction.orElse(0) * STEPS);
      long elapsed = System.nanoTime() - startedAt;
      if (bar == null && elapsed > patience.toNanos()) {
        bar = open(run, fraction.isPresent() ? STEPS : -1, step, Duration.ofNanos(elapsed));
      }
      if (bar != null) {
        bar.stepTo(step);
      }
    };
  }

  @Override
  public void end() {
    if (bar != null) {
      bar.close();
      bar = null;
      terminal.print("\r" + " ".repeat(WIDTH) + "\r");
      terminal.flush();
    }
  }

  private ProgressBar open(String run, long steps, long step, Duration elapsed) {
    return new ProgressBarBuilder()
        .setTaskName(Printable.line(run))
        .setInitialMax(steps)
        .startsFrom(step, elapsed)
        .setUnit("%", STEPS / 100)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(REFRESH_MILLIS)
        .setConsumer(new DelegatingProgressBarConsumer(this::show, WIDTH))
        .build();
  }

  private void show(String line) {
    terminal.print("\r" + line);
    terminal.flush();
  }
}
