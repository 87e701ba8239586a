package dev.berth.experiments.store;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingOutputStream;
import com.google.common.io.ByteSource;
import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of records, one for each cell, that one process appends. A record is a line with the key,
 * a digest and the sizes of its parts, followed by the parts: measurements, availabilities, and the
 * jobs if they were recorded. A torn record is skipped.
 *
 * <p>Every {@link IOException} names the file.
 */
final class CellLog implements AutoCloseable {

  private static final String MARK = "berth cell ";
  private static final Pattern HEADER =
      Pattern.compile(
          MARK + "(\\S{1,64}) ([0-9a-f]{64}) (\\d{1,18}) (\\d{1,18})(?: (\\d{1,18}))?\n");
  private static final int LONGEST_HEADER = 256;
  private static final int CHUNK = 1 << 16;

  private final Path path;
  private final FileChannel channel;

  /** Opens a new file. */
  CellLog(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
  }

  Path path() {
    return path;
  }

  /** Returns the line before the parts of a record. */
  static String header(String key, List<ByteSource> parts) throws IOException {
    StringBuilder sizes = new StringBuilder();
    for (ByteSource each : parts) {
      sizes.append(' ').append(each.size());
    }
    String digest = digest(key, sizes.toString(), ByteSource.concat(parts));
    return "%s%s %s%s\n".formatted(MARK, key, digest, sizes);
  }

  /** Returns a digest of the whole record, so that no part of another one fits. */
  private static String digest(String key, String sizes, ByteSource parts) throws IOException {
    HashingOutputStream hash =
        new HashingOutputStream(Hashing.sha256(), OutputStream.nullOutputStream());
    hash.write((key + sizes + "\n").getBytes(StandardCharsets.UTF_8));
    parts.copyTo(hash);
    return hash.hash().toString();
  }

  /** Appends a record and returns its position. A part that a failure leaves is skipped later. */
  long append(String header, ByteSource parts) throws IOException {
    try {
      long at = channel.position();
      OutputStream out = Channels.newOutputStream(channel);
      out.write(header.getBytes(StandardCharsets.UTF_8));
      parts.copyTo(out);
      return at;
    } catch (IOException failure) {
      throw CellStore.named(path, failure);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (IOException failure) {
      throw CellStore.named(path, failure);
    }
  }

  /** Receives the records of a log. */
  @FunctionalInterface
  interface Visitor {

    /** Called with the key and the position of a record. */
    void visit(String key, long at);
  }

  /** Finds the records that are complete. Does not read their parts. */
  static void scan(Path log, Visitor visitor) throws IOException {
    try (FileChannel channel = open(log)) {
      long at = 0;
      while (at < channel.size()) {
        Optional<Matcher> header = header(channel, at);
        StoredCell cell = header.isEmpty() ? null : cell(log, at, header.get());
        if (cell != null && cell.end() <= channel.size()) {
          visitor.visit(header.get().group(1), at);
          at = cell.end();
        } else {
          at = nextMark(channel, at + 1);
        }
      }
    } catch (IOException failure) {
      throw CellStore.named(log, failure);
    }
  }

  /** Returns the record at a position, if it is that of a cell and undamaged. */
  static Optional<StoredCell> read(Path log, long at, String key) throws IOException {
    try (FileChannel channel = open(log)) {
      Optional<Matcher> header = header(channel, at);
      if (header.isEmpty() || !header.get().group(1).equals(key)) {
        return Optional.empty();
      }
      StoredCell cell = cell(log, at, header.get());
      String line = header.get().group();
      String sizes = line.substring(header.get().end(2), line.length() - 1);
      return cell.end() <= channel.size()
              && digest(key, sizes, cell.parts()).equals(header.get().group(2))
          ? Optional.of(cell)
          : Optional.empty();
    } catch (IOException failure) {
      throw CellStore.named(log, failure);
    }
  }

  private static FileChannel open(Path log) throws IOException {
    return FileChannel.open(log, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  private static StoredCell cell(Path log, long at, Matcher header) {
    String jobs = header.group(5);
    return new StoredCell(
        log,
        at,
        header.end(),
        Long.parseLong(header.group(3)),
        Long.parseLong(header.group(4)),
        jobs == null ? StoredCell.NONE : Long.parseLong(jobs));
  }

  private static Optional<Matcher> header(FileChannel channel, long at) throws IOException {
    Matcher header =
        HEADER.matcher(new String(bytes(channel, at, LONGEST_HEADER), StandardCharsets.ISO_8859_1));
    return header.lookingAt() ? Optional.of(header) : Optional.empty();
  }

  /** Returns where a record may begin; the end of the file if there is none. */
  private static long nextMark(FileChannel channel, long from) throws IOException {
    byte[] mark = MARK.getBytes(StandardCharsets.ISO_8859_1);
    for (long at = from; at < channel.size(); at += CHUNK) {
      int found = Bytes.indexOf(bytes(channel, at, CHUNK + mark.length - 1), mark);
      if (found >= 0) {
        return at + found;
      }
    }
    return channel.size();
  }

  /** Returns some bytes, fewer at the end of the file. */
  private static byte[] bytes(FileChannel channel, long at, int most) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(most);
    int read = 0;
    while (buffer.hasRemaining() && read >= 0) {
      read = channel.read(buffer, at + buffer.position());
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
