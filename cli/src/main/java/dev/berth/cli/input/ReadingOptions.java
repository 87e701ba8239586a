package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.report.render.Printable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for reading files, shared by all commands that read files. */
public final class ReadingOptions {

  @Option(
      names = "--classes",
      paramLabel = "FILE",
      description =
          "File with the service classes of a workload file: a JSON list like "
              + "[{\"name\":\"best\",\"slo\":0.99}]; default gold, silver, bronze; for a journal its own.")
  private @Nullable String classes;

  @Option(
      names = "--skip-bad",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Number of malformed lines per file that are skipped and reported; default "
              + "${DEFAULT-VALUE}.")
  private int skipBad;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Returns the settings for reading files. Notes on records left out go to standard error.
   *
   * @throws BadInputException if an option is out of range
   */
  public Inputs.Reading reading() {
    if (skipBad < 0) {
      throw new BadInputException("--skip-bad was %s, must not be negative.".formatted(skipBad));
    }
    return new Inputs.Reading(
        classes,
        skipBad,
        note -> spec.commandLine().getErr().println("note: " + Printable.line(note)));
  }
}
