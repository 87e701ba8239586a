package dev.berth.experiments.store;

import com.google.common.io.ByteSource;
import com.google.common.io.MoreFiles;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.RunResult;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A cell in a {@link CellStore}. Each call reads the file, also after the store is closed, so that
 * memory does not depend on the size of results.
 *
 * <p>Every {@link IOException} names the file.
 */
public final class StoredCell {

  /** The size of parts that a record lacks. */
  static final long NONE = -1;

  private final Path log;
  private final long at;
  private final int header;
  private final long measured;
  private final long availabilities;
  private final long jobs;

  /**
   * Creates the description of a record.
   *
   * @param log file that has the record
   * @param at its position
   * @param header size of its first line, in bytes; the others likewise
   */
  StoredCell(Path log, long at, int header, long measured, long availabilities, long jobs) {
    this.log = log;
    this.at = at;
    this.header = header;
    this.measured = measured;
    this.availabilities = availabilities;
    this.jobs = jobs;
  }

  /**
   * Returns the measurements.
   *
   * @throws UncheckedIOException if they cannot be read
   */
  public RunMetrics metrics() {
    return read(CellJson::metrics);
  }

  /**
   * Returns the totals of the measurements. Much faster than {@link #metrics}.
   *
   * @throws UncheckedIOException if they cannot be read
   */
  public RunResult totals() {
    return read(CellJson::totals);
  }

  private interface Reader<T> {
    T read(InputStream deflated) throws IOException;
  }

  private <T> T read(Reader<T> reader) {
    try (InputStream in = open(at + header, measured)) {
      return reader.read(in);
    } catch (IOException failure) {
      throw new UncheckedIOException(CellStore.named(log, failure));
    }
  }

  /**
   * Opens the availability of each request, as in an {@link
   * dev.berth.simulator.metrics.AvailabilityFile}.
   */
  public InputStream availabilities() throws IOException {
    return open(at + header + measured, availabilities);
  }

  /** Returns whether the {@link RequestLife} of each request was recorded. */
  public boolean hasJobs() {
    return jobs != NONE;
  }

  /**
   * Opens the jobs, as in a {@link JobFile}.
   *
   * @throws IllegalStateException if they were not recorded
   */
  public InputStream jobs() throws IOException {
    if (!hasJobs()) {
      throw new IllegalStateException("%s has no jobs.".formatted(this));
    }
    return open(at + header + measured + availabilities, jobs);
  }

  /** Returns the contents, for {@link CellStore#adopt} of another store. */
  public List<byte[]> record() throws IOException {
    try {
      return List.of(slice(at, header).read(), parts().read());
    } catch (IOException failure) {
      throw CellStore.named(log, failure);
    }
  }

  ByteSource parts() {
    return slice(at + header, end() - at - header);
  }

  /** Returns the position after the record. */
  long end() {
    return at + header + measured + availabilities + Math.max(0, jobs);
  }

  private ByteSource slice(long from, long size) {
    return MoreFiles.asByteSource(log).slice(from, size);
  }

  private InputStream open(long from, long size) throws IOException {
    return new Named(log, slice(from, size).openBufferedStream());
  }

  /** Names the file in errors. */
  private static final class Named extends FilterInputStream {

    private final Path path;

    Named(Path path, InputStream in) {
      super(in);
      this.path = path;
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException failure) {
        throw CellStore.named(path, failure);
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (IOException failure) {
        throw CellStore.named(path, failure);
      }
    }
  }

  /** Says where the record is. */
  @Override
  public String toString() {
    return "%s at %s".formatted(log, at);
  }
}
