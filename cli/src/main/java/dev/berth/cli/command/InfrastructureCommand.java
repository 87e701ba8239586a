package dev.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  /** Prints the usage, since no subcommand is given. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
