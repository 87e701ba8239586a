package dev.berth.cli.infrastructure;

import dev.berth.cli.session.CommandGroup;
import picocli.CommandLine.Command;

/** {@code berth infrastructure}: prepares infrastructures for simulations. */
@Command(
    name = "infrastructure",
    header = "Creates infrastructures that fit a workload.",
    footer = {
      "  berth infrastructure size requests.csv.gz --out hosts.csv",
      "  berth infrastructure size requests.csv.gz --mix mine.csv --out hosts.csv --scale 1,0.9,0.8"
    },
    subcommands = InfrastructureSizeCommand.class)
public final class InfrastructureCommand extends CommandGroup {}
