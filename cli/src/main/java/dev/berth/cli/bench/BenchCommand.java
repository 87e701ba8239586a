package dev.berth.cli.bench;

import dev.berth.cli.session.CommandGroup;
import picocli.CommandLine.Command;

/** {@code berth bench}: measures the cost of scheduling. */
@Command(
    name = "bench",
    header = "Measures what scheduling costs on this machine.",
    footer = {"  berth bench scale --scale 0.01 --days 2"},
    subcommands = BenchScaleCommand.class)
public final class BenchCommand extends CommandGroup {}
