package dev.berth.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs commands as a user does, and keeps what they say. */
final class Cli {

  private static final Surroundings QUIET = new Surroundings(false, false);

  /** What came of a command. */
  record Result(int exitCode, String out, String err) {

    List<String> outLines() {
      return out.lines().toList();
    }
  }

  private Cli() {}

  static Result run(String... args) {
    return run(QUIET, args);
  }

  static Result run(Surroundings surroundings, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Berth.commandLine(surroundings)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Result(exitCode, out.toString(), err.toString());
  }
}
