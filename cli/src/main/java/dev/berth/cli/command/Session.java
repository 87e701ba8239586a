package dev.berth.cli.command;

import dev.berth.cli.option.Policies;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.terminal.ErrorReport;
import dev.berth.cli.terminal.ExperimentWatcher;
import dev.berth.cli.terminal.Watcher;
import java.io.PrintWriter;

/** The services of the top-level command for all its subcommands. */
public interface Session {

  /** Opens the installed policies, including those of {@code --plugins}. */
  Policies policies();

  /** Returns the report of errors. */
  ErrorReport errors();

  /**
   * Returns a listener that prints the progress of an experiment.
   *
   * @param parallel number of runs at a time
   * @param target where it prints
   */
  ExperimentWatcher experimentWatcher(int parallel, PrintWriter target);

  /**
   * Returns a watcher that shows the progress of a run on an interactive terminal.
   *
   * @param json where JSON is written; JSON on standard output disables the progress bar
   */
  Watcher watcher(JsonTarget json);
}
