package dev.berth.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * One line of a terminal that is rewritten. It appears after a second, is shorter than the terminal
 * is wide, and leaves no trace.
 */
final class ProgressLine implements ProgressSink {

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final int LEAST_COLUMNS = 10;

  private final PrintStream terminal;
  private final IntSupplier width;
  private String shown = ""; // the line on the terminal

  /**
   * Creates a line.
   *
   * @param width present number of columns of the terminal
   */
  ProgressLine(PrintStream terminal, IntSupplier width) {
    this.terminal = terminal;
    this.width = width;
  }

  @Override
  public Duration tick() {
    return TICK;
  }

  @Override
  public void refresh(Duration elapsed, Supplier<ProgressState> state) {
    if (elapsed.compareTo(PATIENCE) < 0) {
      return;
    }
    int columns = columns();
    if (columns < LEAST_COLUMNS) {
      clear();
      return;
    }
    String line = ProgressText.fitted(state.get(), columns);
    if (line.equals(shown)) {
      return;
    }
    int rest = Math.min(columns, shown.length()) - line.length(); // of the former line
    terminal.print("\r" + line + (rest > 0 ? " ".repeat(rest) + "\r" + line : ""));
    terminal.flush();
    shown = line;
  }

  @Override
  public void print(String line) {
    clear();
    terminal.println(ProgressText.cut(line, Math.max(LEAST_COLUMNS, columns())));
    terminal.flush();
  }

  @Override
  public void clear() {
    if (!shown.isEmpty()) {
      terminal.print("\r" + " ".repeat(Math.min(shown.length(), Math.max(0, columns()))) + "\r");
      terminal.flush();
      shown = "";
    }
  }

  /** Returns the usable columns: a character in the last one would wrap on some terminals. */
  private int columns() {
    return width.getAsInt() - 1;
  }
}
