package dev.berth.simulator.metrics;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.result.RequestOutcome;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A file with the final availability of each request of a run, in the order of the workload. So two
 * runs of one workload can be compared request by request without holding either in memory.
 *
 * <p>A request takes four bytes: whether it has an availability, whether it meets its objective,
 * its class, and the availability in ten-millionths.
 *
 * <p>Every {@link IOException} of writing is a {@link FileSystemException} that names the file.
 */
public final class AvailabilityFile {

  private static final int PARTS = 10_000_000;
  private static final int PARTS_MASK = 0xFFFFFF;
  private static final int CLASS_SHIFT = 24;
  private static final int CLASS_MASK = 0x3F;
  private static final int FULFILLED = 1 << 30;
  private static final int PRESENT = 1 << 31;
  private static final int PAGE = 1 << 13; // requests
  private static final int BUFFER = 1 << 16;

  private AvailabilityFile() {}

  /** Returns an error that names the file, which those of reading and writing do not. */
  private static IOException named(Path path, IOException failure) {
    if (failure instanceof FileSystemException) {
      return failure;
    }
    FileSystemException named =
        new FileSystemException(path.toString(), null, failure.getMessage());
    named.initCause(failure);
    return named;
  }

  /**
   * The entry of one request.
   *
   * @param rank of its class in the order of the run, from 0
   * @param availability in [0, 1], to seven decimals
   * @param fulfilled whether it meets its objective; decided exactly
   */
  public record Entry(int rank, double availability, boolean fulfilled) {

    private static Entry of(int packed) {
      return new Entry(
          packed >> CLASS_SHIFT & CLASS_MASK,
          (double) (packed & PARTS_MASK) / PARTS,
          (packed & FULFILLED) != 0);
    }
  }

  /**
   * Writes a file. Requests can end in any order. The writer keeps recently used pages in memory
   * and writes the others to the file.
   *
   * <p>Not thread-safe.
   */
  public static final class Writer implements AutoCloseable {

    private static final int MOST_PAGES = 64;

    private final Path path;
    private final FileChannel channel;
    private long size; // without the end of the last page
    private final Map<String, Integer> rankOf = new HashMap<>();
    private final Map<Long, ByteBuffer> pages =
        new LinkedHashMap<>(16, 0.75f, true); // least recently used first

    /**
     * Creates the file, or replaces it.
     *
     * @param path the file
     * @param classes names of the classes of the run, most important first; at most 64
     */
    public Writer(Path path, List<String> classes) throws IOException {
      if (classes.size() > CLASS_MASK + 1) {
        throw new IllegalArgumentException(
            "%s service classes, must be at most %s.".formatted(classes.size(), CLASS_MASK + 1));
      }
      classes.forEach(each -> rankOf.put(each, rankOf.size()));
      this.path = path;
      channel =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    }

    /** Adds an ended request. A request without availability is skipped. */
    public void add(RequestOutcome outcome) throws IOException {
      if (outcome.report().availability().isEmpty()) {
        return;
      }
      ServiceClass serviceClass = outcome.report().serviceClass();
      long service = outcome.report().serviceTime();
      int rank = Objects.requireNonNull(rankOf.get(serviceClass.name()), serviceClass.name());
      boolean fulfilled =
          serviceClass.slo().isMetBy(service, service + outcome.report().waitingTime());
      int parts = (int) Math.round(outcome.report().availability().getAsDouble() * PARTS);
      size = Math.max(size, (outcome.number() + 1) * Integer.BYTES);
      ByteBuffer page;
      try {
        page = page(outcome.number() / PAGE);
      } catch (IOException failure) {
        throw named(path, failure);
      }
      page.putInt(
          (int) (outcome.number() % PAGE) * Integer.BYTES,
          PRESENT | (fulfilled ? FULFILLED : 0) | rank << CLASS_SHIFT | parts);
    }

    private ByteBuffer page(long number) throws IOException {
      ByteBuffer page = pages.get(number);
      if (page == null) {
        page = ByteBuffer.allocate(PAGE * Integer.BYTES);
        int read = channel.read(page, position(number));
        if (read >= 0 && read < page.capacity()) {
          throw new IOException("page %s has %s bytes".formatted(number, read));
        }
        page.clear();
        pages.put(number, page);
        if (pages.size() > MOST_PAGES) {
          var eldest = pages.entrySet().iterator();
          var entry = eldest.next();
          write(entry.getKey(), entry.getValue());
          eldest.remove();
        }
      }
      return page;
    }

    private void write(long number, ByteBuffer page) throws IOException {
      page.clear();
      long at = position(number);
      while (page.hasRemaining()) {
        at += channel.write(page, at);
      }
    }

    private static long position(long page) {
      return page * PAGE * Integer.BYTES;
    }

    @Override
    public void close() throws IOException {
      try (channel) {
        for (var each : new TreeMap<>(pages).entrySet()) {
          write(each.getKey(), each.getValue());
        }
        channel.truncate(size);
      } catch (IOException failure) {
        throw named(path, failure);
      }
    }
  }

  /** Receives the entries of two runs of one workload, request by request. */
  @FunctionalInterface
  public interface PairVisitor {

    /** Called with the entries of one request in both runs. */
    void visit(Entry first, Entry second);
  }

  /** Receives the entries of a run, request by request. */
  @FunctionalInterface
  public interface Visitor {

    /**
     * Called with the entry of one request.
     *
     * @param number of the request in the workload, from 0
     */
    void visit(long number, Entry entry);
  }

  /** Reads the content of a file, and closes it. Skips requests without availability. */
  public static void read(InputStream content, Visitor visitor) throws IOException {
    try (Entries entries = new Entries(content)) {
      long number = 0;
      for (int packed = entries.next(); packed != END; packed = entries.next()) {
        if ((packed & PRESENT) != 0) {
          visitor.visit(number, Entry.of(packed));
        }
        number++;
      }
    }
  }

  /**
   * Reads the contents of two files side by side, and closes them. Skips requests without
   * availability in either.
   */
  public static void readPairs(InputStream first, InputStream second, PairVisitor visitor)
      throws IOException {
    try (Entries one = new Entries(first);
        Entries other = new Entries(second)) {
      int left = one.next();
      int right = other.next();
      while (left != END && right != END) {
        if ((left & right & PRESENT) != 0) {
          visitor.visit(Entry.of(left), Entry.of(right));
        }
        left = one.next();
        right = other.next();
      }
    }
  }

  /** No entry: an availability above 1. */
  private static final int END = PRESENT | PARTS_MASK;

  /** The packed entries of a file. */
  private static final class Entries implements AutoCloseable {

    private final DataInputStream input;

    Entries(InputStream content) {
      this.input = new DataInputStream(new BufferedInputStream(content, BUFFER));
    }

    int next() throws IOException {
      try {
        return input.readInt();
      } catch (EOFException end) {
        return END;
      }
    }

    @Override
    public void close() throws IOException {
      input.close();
    }
  }
}
