package dev.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  /** Prints the usage, since no subcommand is given. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
