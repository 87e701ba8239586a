package dev.berth.cli.command;

import dev.berth.cli.terminal.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code berth infrastructure}: prepares infrastructures for simulations. */
@Command(
    name = "infrastructure",
    header = "Creates infrastructures that fit a workload.",
    footer = {
      "  berth infrastructure size requests.csv.gz --out hosts.csv",
      "  berth infrastructure size requests.csv.gz --mix mine.csv --out hosts.csv --scale 1,0.9,0.8"
    },
    subcommands = InfrastructureSizeCommand.class)
public final class InfrastructureCommand implements Runnable {

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
