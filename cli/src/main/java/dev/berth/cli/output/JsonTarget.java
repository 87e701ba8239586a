package dev.berth.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.report.render.JsonText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --json}: the file for the outcome as JSON. */
public final class JsonTarget {

  private static final String STANDARD_OUTPUT = "-";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = STANDARD_OUTPUT,
      description =
          "Also writes the outcome as one JSON object to FILE. Without FILE, or if it is -, standard "
              + "output has the JSON and nothing else.")
  private @Nullable Path target;

  private @Nullable OutputFile file;

  /** Returns whether the outcome was requested as JSON. */
  public boolean isWanted() {
    return target != null;
  }

  /** Returns whether standard output is reserved for JSON. */
  public boolean takesStandardOutput() {
    return target != null && target.toString().equals(STANDARD_OUTPUT);
  }

  /**
   * Checks, before the run, that the outcome can be written.
   *
   * @throws BadInputException if it cannot
   */
  public void check() {
    if (target != null && !takesStandardOutput()) {
      BadInputException.unless(
          !target.toString().startsWith("-"),
          "--json was \"%1$s\", must be a file or -. Maybe you meant ./%1$s.".formatted(target));
      file = OutputFile.at(target, "--json");
    }
  }

  /**
   * Prints the outcome as text, unless standard output is reserved for JSON, and adds it as JSON,
   * if that was requested.
   *
   * @param files receives the JSON, unless standard output gets it
   * @throws RunFailedException if it cannot be written
   */
  public void addTo(OutputFiles files, PrintWriter out, Supplier<String> text, JsonNode outcome) {
    if (takesStandardOutput()) {
      out.print(JsonText.pretty(outcome));
      return;
    }
    out.print(text.get());
    if (file != null) {
      files.add(file, JsonText.pretty(outcome));
    }
  }

  /** Does the same for a command that writes no other file. */
  public void write(PrintWriter out, Supplier<String> text, JsonNode outcome) {
    try (OutputFiles files = new OutputFiles()) {
      addTo(files, out, text, outcome);
      files.commit();
    }
  }
}
