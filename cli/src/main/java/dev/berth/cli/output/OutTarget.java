package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.traces.Writers;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option {@code --out}: the file for a workload or an infrastructure. */
public final class OutTarget {

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description =
          "File to write. Its name ends in .csv or .jsonl, with .gz appended to compress it.")
  private Path path = Path.of("");

  /**
   * Returns the file, checked before a long run.
   *
   * @throws BadInputException if its format is unknown, or it cannot be written
   */
  public FormattedFile file() {
    return named("");
  }

  /**
   * Returns one of several files: {@code a-SUFFIX.csv.gz} for {@code a.csv.gz}.
   *
   * @throws BadInputException as for {@link #file()}
   */
  public FormattedFile file(String suffix) {
    return named("-" + suffix);
  }

  private FormattedFile named(String suffix) {
    return new FormattedFile(path, "--out", Writers.formats(), suffix);
  }
}
