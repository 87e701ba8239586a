package dev.berth.runtime.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Format 1 of the files of a journal. All numbers are big-endian. The first 16 bytes of a file mean
 * the same in all formats: magic, version, CRC-32C of both.
 *
 * <pre>
 * header of a file    magic 8, version 4, CRC 4, number 8, fence 8, CRC of number and fence 4, zero 4
 * record              CRC 4 of all that follows, length 4, number 8, fence 8, forced 8, bytes
 * snapshot            header, content, length of the content 8, CRC of the content 4, zero 4
 * mark in NAME.fence  number 8, fence 8, CRC 4
 * </pre>
 */
final class JournalFormat {

  static final int VERSION = 1;
  static final int FILE_HEADER = 40;
  static final int RECORD_HEADER = 32;
  static final int SNAPSHOT_FOOTER = 16;
  static final int MARK = 20;

  static final long LOG_MAGIC = 0x42455254484C4F47L; // BERTHLOG
  static final long SNAPSHOT_MAGIC = 0x4245525448534E50L; // BERTHSNP

  static final String LOCK = "lock";
  static final String TEMPORARY = ".tmp";
  static final Pattern LOG = Pattern.compile("(\\d{19})-(\\d{10,19})\\.log");
  static final Pattern SNAPSHOT = Pattern.compile("(\\d{19})\\.snapshot");
  static final Pattern FENCE = Pattern.compile("(\\d{10,19})\\.fence");

  static final String RESTORE_HINT =
      "Restore the directory from a copy, or look at it with `berth journal describe`.";

  private static final int PREFIX = 12;
  private static final int PREFIX_END = 16;
  private static final int POSITION_END = 32;

  private JournalFormat() {}

  static String logName(long first, long fence) {
    return String.format(Locale.ROOT, "%019d-%010d.log", first, fence);
  }

  static String snapshotName(long number) {
    return String.format(Locale.ROOT, "%019d.snapshot", number);
  }

  static String fenceName(long fence) {
    return String.format(Locale.ROOT, "%010d.fence", fence);
  }

  /** Returns the number in a group of a name, or -1 if it exceeds a long. */
  static long number(Matcher name, int group) {
    try {
      return Long.parseLong(name.group(group));
    } catch (NumberFormatException tooLarge) {
      return -1;
    }
  }

  /** The number and the fence in the header of a file. */
  record Header(long number, long fence) {}

  static ByteBuffer header(long magic, long number, long fence) {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER);
    header.putLong(magic).putInt(VERSION);
    header.putInt(crc(header, 0, PREFIX));
    header.putLong(number).putLong(fence);
    header.putInt(crc(header, PREFIX_END, POSITION_END));
    return header.rewind();
  }

  /**
   * Reads the header of a file.
   *
   * @throws JournalVersionException if its format is newer
   * @throws JournalDamagedException if it is damaged
   */
  static Header readHeader(Disk disk, Disk.File file, String name, long magic) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER);
    if (!readFully(file, header, 0)) {
      throw damaged(disk, name, 0, "the header is incomplete");
    }
    if (header.getLong(0) != magic || header.getInt(PREFIX) != crc(header, 0, PREFIX)) {
      throw damaged(disk, name, 0, "the header is damaged, or this is not a file of a journal");
    }
    int version = header.getInt(Long.BYTES);
    if (version > VERSION) {
      throw new JournalVersionException(
          "%s: the file has format %s, but this version of Berth reads formats up to %s. Use a newer version of Berth."
              .formatted(disk.path(name), version, VERSION));
    }
    if (version < 1 || header.getInt(POSITION_END) != crc(header, PREFIX_END, POSITION_END)) {
      throw damaged(disk, name, version < 1 ? Long.BYTES : PREFIX_END, "the header is damaged");
    }
    return new Header(header.getLong(PREFIX_END), header.getLong(PREFIX_END + Long.BYTES));
  }

  static void putMark(ByteBuffer mark, long number, long fence) {
    mark.clear();
    mark.putLong(number).putLong(fence);
    mark.putInt(crc(mark, 0, 2 * Long.BYTES));
    mark.flip();
  }

  /** Returns the number up to which a writer forced; empty if it did not note one, or damaged. */
  static OptionalLong readMark(Disk disk, String name, long fence) throws IOException {
    ByteBuffer mark = ByteBuffer.allocate(MARK);
    try (Disk.File file = disk.openReadOnly(name)) {
      if (!readFully(file, mark, 0)) {
        return OptionalLong.empty();
      }
    }
    boolean isIntact =
        mark.getLong(Long.BYTES) == fence
            && mark.getInt(2 * Long.BYTES) == crc(mark, 0, 2 * Long.BYTES);
    return isIntact ? OptionalLong.of(mark.getLong(0)) : OptionalLong.empty();
  }

  private static int crc(ByteBuffer bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(to).position(from));
    return (int) crc.getValue();
  }

  /** Reads until the buffer is full and returns true, or false if the file ends before. */
  static boolean readFully(Disk.File file, ByteBuffer to, long position) throws IOException {
    long at = position;
    while (to.hasRemaining()) {
      int count = file.read(to, at);
      if (count < 0) {
        return false;
      }
      at += count;
    }
    return true;
  }

  static void writeFully(Disk.File file, ByteBuffer from, long position) throws IOException {
    long at = position;
    while (from.hasRemaining()) {
      int count = file.write(from, at);
      if (count <= 0) {
        throw new EOFException("The disk took no more bytes at byte " + at + ".");
      }
      at += count;
    }
  }

  static JournalDamagedException damaged(Disk disk, String name, long offset, String problem) {
    return new JournalDamagedException(disk.path(name), offset, problem, RESTORE_HINT);
  }
}
