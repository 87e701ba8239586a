package dev.berth.cli.terminal;

import java.io.PrintWriter;
import java.util.OptionalInt;

/**
 * The process that commands run in.
 *
 * @param debug whether unexpected failures print a stack trace ({@code BERTH_DEBUG=1})
 * @param progress how commands show their progress
 * @param columns the width of the terminal that standard output goes to; empty if it goes elsewhere
 * @param style what may decorate standard output
 */
public record Environment(
    boolean debug, ProgressMode progress, OptionalInt columns, TerminalStyle style) {

  /** Creates an environment whose standard output is no terminal. */
  public Environment(boolean debug, ProgressMode progress) {
    this(debug, progress, OptionalInt.empty(), TerminalStyle.NONE);
  }

  /** Returns the environment of this process. */
  public static Environment ofProcess() {
    return new Environment(
        "1".equals(System.getenv("BERTH_DEBUG")),
        Terminal.isWatched() ? ProgressMode.TERMINAL : ProgressMode.LOG,
        TerminalWidth.ofStandardOutput(),
        TerminalStyle.of(Terminal.isOutput(), System.getenv()));
  }

  /**
   * Returns a display for the progress of a command.
   *
   * @param log standard error, unless that is a terminal
   */
  public ProgressDisplay display(PrintWriter log) {
    return switch (progress) {
      case NONE -> ProgressDisplay.silent();
      case LOG -> ProgressDisplay.inLog(log);
      case TERMINAL -> ProgressDisplay.onTerminal(System.err, new TerminalWidth());
    };
  }
}
