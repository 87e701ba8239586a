package dev.berth.cli.workload;

import dev.berth.cli.session.CommandGroup;
import picocli.CommandLine.Command;

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
public final class WorkloadCommand extends CommandGroup {}
