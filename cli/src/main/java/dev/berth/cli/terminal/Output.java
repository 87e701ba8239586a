package dev.berth.cli.terminal;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** Mixed into a command: the writers that it prints with. */
@Command
public final class Output {

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Returns the writer of standard output. */
  public PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Returns the writer of standard error. */
  public PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Prints the usage of the command. */
  public void printUsage() {
    CommandLine line = command.commandLine();
    line.usage(line.getOut());
  }
}
