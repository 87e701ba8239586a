package dev.berth.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.report.render.JsonText;
import java.io.PrintWriter;
import java.nio.file.Path;
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
      if (target.toString().startsWith("-")) {
        throw new BadInputException(
            "--json was \"%1$s\", must be a file or -. Maybe you meant ./%1$s.".formatted(target));
      }
      file = OutputFile.at(target, "--json");
    }
  }

  /**
   * Adds the outcome, if it was requested. Standard output gets it at once.
   *
   * @param files receives it
   * @throws RunFailedException if it cannot be written
   */
  public void addTo(OutputFiles files, JsonNode outcome, PrintWriter standardOutput) {
    if (takesStandardOutput()) {
      standardOutput.print(JsonText.pretty(outcome));
    } else if (file != null) {
      files.add(file, JsonText.pretty(outcome));
    }
  }
}
