package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Workload;
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

  /** A format that compresses what it has. */
  static final String PARQUET = "parquet";

  private static final String GZIP = ".gz";
  private static final int BUFFER = 1 << 16;

  private final OutputFile file;
  private final String format;

  /**
   * Checks, before a long run, that a file can be written.
   *
   * @param option option that named the path, for messages
   * @param formats endings of the names of files
   * @param suffix of the name, before its ending
   * @throws BadInputException if its format is unknown, or it cannot be written
   */
  FormattedFile(Path path, String option, List<String> formats, String suffix) {
    String name = path.toString();
    this.format =
        formats.stream()
            .filter(each -> endings(each).anyMatch(name::endsWith))
            .findFirst()
            .orElseThrow(
                () ->
                    new BadInputException(
                        "%s was \"%s\", must end in %s."
                            .formatted(
                                option,
                                path,
                                formats.stream()
                                    .flatMap(FormattedFile::endings)
                                    .collect(Collectors.joining(", ")))));
    int end = withoutGzip(name).length() - format.length() - 1;
    this.file =
        OutputFile.at(Path.of(name.substring(0, end) + suffix + name.substring(end)), option);
  }

  private static Stream<String> endings(String format) {
    String ending = "." + format;
    return format.equals(PARQUET) ? Stream.of(ending) : Stream.of(ending, ending + GZIP);
  }

  private static String withoutGzip(String name) {
    return name.endsWith(GZIP) ? name.substring(0, name.length() - GZIP.length()) : name;
  }

  public Path path() {
    return file.path();
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
    addTextTo(files, out -> count[0] = Writers.workload(workload, format, out));
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
    addTextTo(files, out -> Writers.infrastructure(infrastructure, format, out));
  }

  /**
   * Adds content as it is.
   *
   * @param files receives it
   * @throws RunFailedException if it cannot be written
   */
  void addTo(OutputFiles files, OutputFiles.Content content) {
    files.add(file, content);
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
  void addTextTo(OutputFiles files, Text text) {
    try {
      files.add(
          file,
          raw -> {
            OutputStream stream =
                path().toString().endsWith(GZIP) ? new GZIPOutputStream(raw, BUFFER) : raw;
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
          "%s \"%s\": %s".formatted(file.option(), path(), inexpressible.getMessage()),
          inexpressible);
    }
  }
}
