package dev.berth.cli.session;

import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.Interruption;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.report.render.Printable;
import dev.berth.report.render.TextRenderer;
import java.io.PrintWriter;
import java.util.function.Supplier;

/** The services of the top-level command for all its subcommands. */
public interface Session {

  /** Opens the installed policies, including those of {@code --plugins}. */
  Policies policies();

  /** Reads an input while the policies are there: that of a journal may come from a plugin. */
  @SuppressWarnings("try") // it is there for the format
  default <T> T read(Supplier<T> reader) {
    try (Policies policies = policies()) {
      return reader.get();
    }
  }

  /**
   * Returns a renderer for standard output. On a terminal no table is wider than it, as far as the
   * first two columns fit.
   */
  TextRenderer text();

  /** Returns the process that the command runs in. */
  Environment environment();

  /** Returns standard output for what is {@linkplain Printable printable} but for its colours. */
  PrintWriter painted();

  /** Returns the report of errors. */
  ErrorReport errors();

  /** Returns whether the user asked for more details. */
  boolean verbose();

  /** Returns the display for the progress of the command, to be closed at its end. */
  ProgressDisplay progress();

  /** Returns what to report if a signal ends the command. */
  Interruption interruption();
}
