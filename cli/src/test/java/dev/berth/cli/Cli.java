package dev.berth.cli;

import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.Interruption;
import dev.berth.cli.terminal.ProgressMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Runs commands as a user does, and keeps their output. */
public final class Cli {

  private static final Environment QUIET = new Environment(false, ProgressMode.NONE);

  /** The exit code and output of a command. */
  public record Result(int exitCode, String out, String err) {

    public List<String> outLines() {
      return out.lines().toList();
    }
  }

  private Cli() {}

  public static Result run(String... args) {
    return run(QUIET, args);
  }

  /** Compares {@code qos-driven} and {@code priority} on {@code validation-1}, with details. */
  public static Result validation(String... options) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "compare",
                "--workload",
                "validation-1",
                "--policies",
                "qos-driven,priority",
                "--details"));
    args.addAll(List.of(options));
    return run(args.toArray(String[]::new));
  }

  /** Compares two policies on files, with details. */
  public static Result compare(String workload, String infrastructure) {
    return run(
        "compare",
        "--details",
        "--policies",
        "qos-driven,first-fit",
        "--workload",
        workload,
        "--infrastructure",
        infrastructure);
  }

  public static Result run(Environment environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Berth.commandLine(
                environment, new Interruption(), new PrintWriter(out), new PrintWriter(err))
            .execute(args);
    return new Result(exitCode, out.toString(), err.toString());
  }
}
