package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A file that is written in one of several formats. The ending of its name selects the format, such
 * as {@code .csv} or {@code .jsonl}, with {@code .gz} appended to compress it.
 */
public final class FormattedFile {

  private static final String GZIP = ".gz";
  private static final String OUT = "--out";
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final String option;
  private final String format;
  private final OutputFile file;

  private FormattedFile(Path path, String option, String format) {
    this.path = path;
    this.option = option;
    this.format = format;
    this.file = OutputFile.at(path, option);
  }

  /**
   * Checks, before a long run, that a file for a workload or an infrastructure can be written.
   *
   * @throws BadInputException if its format is unknown, or it cannot be written
   */
  public static FormattedFile at(Path path) {
    return at(path, OUT, Writers.formats());
  }

  /**
   * Checks, before a long run, that a file can be written.
   *
   * @param option option that named the path, for messages
   * @param formats endings of the names of files
   * @throws BadInputException if its format is unknown, or it cannot be written
   */
  static FormattedFile at(Path path, String option, List<String> formats) {
    return new FormattedFile(path, option, formatOf(path, option, formats));
  }

  private static String formatOf(Path path, String option, List<String> formats) {
    return formats.stream()
        .filter(each -> withoutGzip(path).endsWith("." + each))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "%s was \"%s\", must end in %s."
                        .formatted(
                            option,
                            path,
                            formats.stream()
                                .flatMap(each -> Stream.of("." + each, "." + each + GZIP))
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * Checks one of several files: {@code a-SUFFIX.csv.gz} for {@code a.csv.gz}.
   *
   * @throws BadInputException as for {@link #at}
   */
  public static FormattedFile at(Path path, String suffix) {
    String format = formatOf(path, OUT, Writers.formats());
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

  /** Returns the format that the ending of its name selects. */
  String format() {
    return format;
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

  /** Content that is written piece by piece. */
  interface Text {

    /** Writes the content and leaves the writer open. */
    void appendTo(Writer out) throws IOException;
  }

  /**
   * Adds a text.
   *
   * @param files receives it
   * @throws BadInputException if the text cannot be expressed
   * @throws RunFailedException if it cannot be written
   */
  void addTo(OutputFiles files, Text text) {
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
          "%s \"%s\": %s".formatted(option, path, inexpressible.getMessage()), inexpressible);
    }
  }
}
