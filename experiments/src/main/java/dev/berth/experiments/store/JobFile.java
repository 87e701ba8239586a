package dev.berth.experiments.store;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.SequenceWriter;
import dev.berth.simulator.result.RequestOutcome;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A file with the {@link RequestLife} of each request of a run, in order of their ends; those that
 * end at the same time are in order of their ids. Unfinished requests follow, in order of their
 * ids.
 *
 * <p>Neither writing nor reading holds more records than those of one end in memory.
 *
 * <p>Every {@link IOException} of writing is a {@link FileSystemException} that names the file.
 */
public final class JobFile {

  private static final int BUFFER = 1 << 16;

  private JobFile() {}

  /** Writes a file. Not thread-safe. */
  public static final class Writer implements AutoCloseable {

    private final Path path;
    private final BufferedWriter text;
    private final SequenceWriter lines;
    private final List<RequestLife> together = new ArrayList<>(); // with the same end

    /** Creates the file, or replaces it. A link is replaced, not followed. */
    public Writer(Path path) throws IOException {
      this.path = path;
      Files.deleteIfExists(path);
      try {
        text =
            new BufferedWriter(
                new OutputStreamWriter(
                    new GZIPOutputStream(
                        Files.newOutputStream(
                            path,
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                        BUFFER),
                    StandardCharsets.UTF_8),
                BUFFER);
        lines = CellJson.lines(text);
      } catch (IOException failure) {
        throw CellStore.named(path, failure);
      }
    }

    /** Adds a request that has ended, not before the previous one; unfinished requests are last. */
    public void add(RequestOutcome outcome) throws IOException {
      RequestLife job = RequestLife.of(outcome);
      if (!together.isEmpty() && !together.get(0).ended().equals(job.ended())) {
        writeThose();
      }
      together.add(job);
    }

    private void writeThose() throws IOException {
      together.sort(Comparator.comparing(RequestLife::id));
      try {
        lines.writeAll(together);
      } catch (IOException failure) {
        throw CellStore.named(path, failure);
      }
      together.clear();
    }

    @Override
    public void close() throws IOException {
      try (text) {
        writeThose();
        lines.flush();
      } catch (IOException failure) {
        throw CellStore.named(path, failure);
      }
    }
  }

  /** Receives the records of a file in order. */
  @FunctionalInterface
  public interface Visitor {

    /** Called with one record. */
    void visit(RequestLife job) throws IOException;
  }

  /**
   * Reads the content of a file, and closes it.
   *
   * @throws IOException if it cannot be read, or as {@code visitor}
   */
  public static void read(InputStream content, Visitor visitor) throws IOException {
    try (content;
        MappingIterator<RequestLife> jobs =
            CellJson.lines(
                new InputStreamReader(new GZIPInputStream(content, BUFFER), StandardCharsets.UTF_8),
                RequestLife.class)) {
      while (jobs.hasNextValue()) {
        visitor.visit(jobs.nextValue());
      }
    }
  }
}
