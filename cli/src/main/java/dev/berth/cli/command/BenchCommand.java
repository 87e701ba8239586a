package dev.berth.cli.command;

import dev.berth.cli.terminal.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code berth bench}: measures the cost of scheduling. */
@Command(
    name = "bench",
    header = "Measures what scheduling costs on this machine.",
    footer = {"  berth bench scale --scale 0.01 --days 2"},
    subcommands = BenchScaleCommand.class)
public final class BenchCommand implements Runnable {

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  /** Returns the session that all commands share. */
  Session session() {
    return session;
  }

  /** Prints the usage, since no subcommand is given. */
  @Override
  public void run() {
    output.printUsage();
  }
}
