package dev.berth.cli.command;

import dev.berth.cli.terminal.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code berth workload}: prepares workloads for simulations. */
@Command(
    name = "workload",
    header = "Describes, samples, generates and converts workloads.",
    footer = {
      "  berth workload describe trace.csv.gz",
      "  berth workload sample trace.csv.gz --out sample.csv.gz --count 10",
      "  berth workload generate --out requests.csv.gz --scale 0.1 --duration 1d"
    },
    subcommands = {
      WorkloadDescribeCommand.class,
      WorkloadSampleCommand.class,
      WorkloadGenerateCommand.class,
      WorkloadConvertCommand.class
    })
public final class WorkloadCommand implements Runnable {

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
