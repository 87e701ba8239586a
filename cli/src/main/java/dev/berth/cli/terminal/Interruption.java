package dev.berth.cli.terminal;

import dev.berth.report.render.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a signal such as {@code ^C} leaves of a command: how far it was, what is kept, and how to go
 * on. The thread of a shutdown reports it.
 */
public final class Interruption {

  /** Holds for all commands, since they replace their files together, at the end. */
  public static final String FILES_UNCHANGED = "Output files are unchanged.";

  private volatile ProgressDisplay display = ProgressDisplay.silent();
  private volatile Supplier<List<String>> explanation =
      () -> List.of("interrupted. " + FILES_UNCHANGED);

  /** Sets the display that an interruption closes. */
  public void closes(ProgressDisplay shown) {
    display = shown;
  }

  /**
   * Sets the explanation.
   *
   * @param lines called by another thread; must not wait. The first line begins with the word
   *     "interrupted"
   */
  public void explain(Supplier<List<String>> lines) {
    explanation = lines;
  }

  /** Prints the explanation. */
  void report(PrintStream err) {
    display.close();
    for (String line : explanation.get()) {
      err.println("berth: " + Printable.line(line));
    }
    err.flush();
  }
}
