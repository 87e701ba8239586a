package dev.berth.cli.output;

import dev.berth.cli.terminal.BadInputException;
import dev.berth.cli.terminal.RunFailedException;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Workload;
import dev.berth.traces.Writers;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A file for a workload or an infrastructure. The ending of its name selects the format: {@code
 * .csv} or {@code .jsonl}, with {@code .gz} appended to compress it.
 */
public final class FormattedFile {

  private static final String GZIP = ".gz";
  private static final String OPTION = "--out";
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final String format;
  private final OutputFile file;

  private FormattedFile(Path path, String format, OutputFile file) {
    this.path = path;
    this.format = format;
    this.file = file;
  }

  /**
   * Checks, before a long run, that a file can be written.
   *
   * @throws BadInputException if its format is unknown, or it cannot be written
   */
  public static FormattedFile at(Path path) {
    return new FormattedFile(path, formatOf(path), OutputFile.at(path, OPTION));
  }

  private static String formatOf(Path path) {
    return Writers.formats().stream()
        .filter(each -> withoutGzip(path).endsWith("." + each))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "%s was \"%s\", must end in %s."
                        .formatted(
                            OPTION,
                            path,
                            Writers.formats().stream()
                                .flatMap(each -> Stream.of("." + each, "." + each + GZIP))
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * Checks one of several files: {@code a-SUFFIX.csv.gz} for {@code a.csv.gz}.
   *
   * @throws BadInputException as for {@link #at}
   */
  public static FormattedFile at(Path path, String suffix) {
    String format = formatOf(path);
    String plain = withoutGzip(path);
    String stem = plain.substring(0, plain.length() - format.length() - 1);
    String ending = path.toString().substring(stem.length());
    return at(Path.of(stem + "-" + suffix + ending));
  }

  private static String withoutGzip(Path path) {
    String name = path.toString();
    return name.endsWith(GZIP) ? name.substring(0, name.length() - GZIP.length()) : name;
  }

  public Path path() {
    return path;
  }

  /**
   * Adds a workload, which is written request by request.
   *
   * @param files receives it
   * @return the number of requests
   * @throws BadInputException if the format cannot express it
   * @throws RunFailedException if it cannot be written
   */
  public long addTo(OutputFiles files, Workload workload) {
    long[] count = new long[1];
    addTo(files, out -> count[0] = Writers.workload(workload, format, out));
    return count[0];
  }

  /**
   * Adds the hosts of an infrastructure.
   *
   * @param files receives them
   * @throws BadInputException if the format cannot express it
   * @throws RunFailedException if it cannot be written
   */
  public void addTo(OutputFiles files, Infrastructure infrastructure) {
    addTo(files, out -> Writers.infrastructure(infrastructure, format, out));
  }

  private interface Text {
    void appendTo(Writer out) throws IOException;
  }

  private void addTo(OutputFiles files, Text text) {
    try {
      files.add(
          file,
          raw -> {
            OutputStream stream =
                path.toString().endsWith(GZIP) ? new GZIPOutputStream(raw, BUFFER) : raw;
            Writer out =
                new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), BUFFER);
            text.appendTo(out);
            out.flush();
            if (stream instanceof GZIPOutputStream gzip) {
              gzip.finish();
            }
          });
    } catch (IllegalArgumentException inexpressible) {
      throw new BadInputException(
          "%s \"%s\": %s".formatted(OPTION, path, inexpressible.getMessage()), inexpressible);
    }
  }
}
