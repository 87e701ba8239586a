package dev.berth.runtime.journal;

import static dev.berth.runtime.journal.JournalFormat.FILE_HEADER;
import static dev.berth.runtime.journal.JournalFormat.RECORD_HEADER;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads the records of a segment in order, up to the first that is not valid. */
final class SegmentReader implements Closeable {

  private static final int WINDOW = 1 << 16;

  private final Disk.File file;
  private final long fence;
  private final long size;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW);
  private final CRC32C crc = new CRC32C();
  private long windowAt;

  private long position = FILE_HEADER;
  private long expected;
  private @Nullable String problem;
  private boolean isContradiction;

  // The latest valid record.
  private int length = -1;
  private long number;
  private long forced;

  /** Reads a file up to its present size. */
  SegmentReader(Disk.File file, long first, long fence) throws IOException {
    this(file, first, fence, file.size());
  }

  private SegmentReader(Disk.File file, long first, long fence, long size) {
    this.file = file;
    this.fence = fence;
    this.size = size;
    expected = first;
    number = first - 1;
    window.limit(0);
  }

  static SegmentReader open(Disk disk, String name, long first, long fence) throws IOException {
    Disk.File file = disk.openReadOnly(name);
    try {
      return new SegmentReader(file, first, fence);
    } catch (IOException | RuntimeException unreadable) {
      file.close();
      throw unreadable;
    }
  }

  /** Advances to the next record and returns true, or false at the end or before a bad record. */
  boolean next() throws IOException {
    length = -1;
    if (position == size) {
      return false;
    }
    problem = check(position);
    if (problem != null) {
      return false;
    }
    ByteBuffer header = load(position, RECORD_HEADER);
    int at = header.position();
    if (header.getLong(at + 8) != expected || header.getLong(at + 16) != fence) {
      isContradiction = true;
      problem =
          "here is record %s of fence %s, must be record %s of fence %s"
              .formatted(header.getLong(at + 8), header.getLong(at + 16), expected, fence);
      return false;
    }
    length = header.getInt(at + 4);
    number = expected++;
    forced = header.getLong(at + 24);
    position += RECORD_HEADER + length;
    return true;
  }

  /** Returns what is wrong with the bytes at an offset if they are a record; null if nothing. */
  private @Nullable String check(long offset) throws IOException {
    long rest = size - offset;
    if (rest < RECORD_HEADER) {
      return "record %s is incomplete, the file ends in its header".formatted(expected);
    }
    ByteBuffer header = load(offset, RECORD_HEADER);
    int at = header.position();
    int must = header.getInt(at);
    int bytes = header.getInt(at + 4);
    if (bytes < 0 || bytes > rest - RECORD_HEADER) {
      return "record %s has a length of %s bytes, but %s bytes follow"
          .formatted(expected, bytes, rest - RECORD_HEADER);
    }
    int is = crc(offset + 4, RECORD_HEADER - 4L + bytes);
    return is == must
        ? null
        : "record %s has the CRC-32C %08x, must be %08x".formatted(expected, is, must);
  }

  private int crc(long from, long count) throws IOException {
    crc.reset();
    long at = from;
    long end = from + count;
    while (at < end) {
      ByteBuffer some = load(at, (int) Math.min(WINDOW, end - at));
      crc.update(some);
      at += Math.min(WINDOW, end - at);
    }
    return (int) crc.getValue();
  }

  /** Returns a view of some bytes, at most of a window. */
  private ByteBuffer load(long offset, int count) throws IOException {
    if (offset < windowAt || offset + count > windowAt + window.limit()) {
      window.clear();
      window.limit((int) Math.min(WINDOW, size - offset));
      if (!JournalFormat.readFully(file, window, offset)) {
        throw new EOFException("The file became shorter while it was read.");
      }
      window.flip();
      windowAt = offset;
    }
    ByteBuffer view = window.duplicate();
    int at = (int) (offset - windowAt);
    return view.limit(at + count).position(at);
  }

  /** A valid record behind a bad one. */
  record Later(long offset, long number, long forced) {}

  /**
   * Returns the valid record behind the bad one that says the most about what was forced; null if
   * there is none. Tries each offset, since the length of the bad record cannot be trusted.
   */
  @Nullable Later findLater() throws IOException {
    Later best = null;
    long at = position + 1;
    while (at <= size - RECORD_HEADER) {
      ByteBuffer header = load(at, RECORD_HEADER);
      int i = header.position();
      long candidate = header.getLong(i + 8);
      boolean isPlausible =
          candidate >= expected
              && candidate - expected <= size / RECORD_HEADER
              && header.getLong(i + 16) == fence;
      if (isPlausible && check(at) == null) {
        header = load(at, RECORD_HEADER);
        i = header.position();
        if (best == null || header.getLong(i + 24) > best.forced()) {
          best = new Later(at, candidate, header.getLong(i + 24));
        }
        at += RECORD_HEADER + header.getInt(i + 4);
      } else {
        at++;
      }
    }
    return best;
  }

  /** Returns the offset of the next record, or of the bad one. */
  long position() {
    return position;
  }

  /** Returns the size of the file when it was opened. */
  long size() {
    return size;
  }

  /** Returns why {@link #next} returned false; null at the end of the file. */
  @Nullable String problem() {
    return problem;
  }

  /** Returns true if the bad record is intact but at a wrong place: no crash leaves such a one. */
  boolean isContradiction() {
    return isContradiction;
  }

  /** Returns the number of the latest valid record; one less than the first if none. */
  long number() {
    return number;
  }

  /** Returns the number up to which records had been forced when the latest was appended. */
  long forced() {
    return forced;
  }

  byte[] bytes() throws IOException {
    if (length < 0) {
      throw new IllegalStateException("JournalCursor.bytes: next() did not return true last.");
    }
    byte[] bytes = new byte[length];
    long from = position - length;
    if (length <= WINDOW) {
      load(from, length).get(bytes);
    } else if (!JournalFormat.readFully(file, ByteBuffer.wrap(bytes), from)) {
      throw new EOFException("The file became shorter while it was read.");
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
