package dev.berth.runtime.entry;

import dev.berth.core.Scheduler;
import dev.berth.json.UnreadableException;
import dev.berth.json.ValueFormat;
import java.util.Objects;

/**
 * The format of the records of a journal: a byte with the version of the format, then the entry in
 * CBOR, in which names are numbers. The same entry is always the same bytes. Safe for use by
 * several threads.
 *
 * <p>This version of Berth reads all versions from 1 to {@link #VERSION}. A record of a later
 * version, and one with a member that this version does not know, is refused.
 *
 * <p>The records do not detect all damage: a byte that changed in a text cannot be noticed. The
 * checksums of the journal are for that.
 */
public final class EntryFormat {

  /** The version of the format that {@link #toBytes} writes. */
  public static final int VERSION = 1;

  private static final ValueFormat<Entry> ENTRIES =
      ValueFormat.of(Entry.class, Names.ALL, Names.RECORDS);

  private EntryFormat() {}

  /** Returns the version of Berth; {@code "unknown"} if it runs from classes without a manifest. */
  public static String engine() {
    return Versions.of(Scheduler.class).orElse("unknown");
  }

  /**
   * Returns an entry as bytes.
   *
   * @throws IllegalArgumentException if a text in it has half a character, which has no UTF-8
   */
  public static byte[] toBytes(Entry entry) {
    Objects.requireNonNull(entry, "entry");
    byte[] cbor = ENTRIES.toCbor(entry);
    byte[] bytes = new byte[1 + cbor.length];
    bytes[0] = VERSION;
    System.arraycopy(cbor, 0, bytes, 1, cbor.length);
    return bytes;
  }

  /**
   * Reads an entry.
   *
   * @throws UnreadableException if it is damaged, or of a version that is not known
   */
  public static Entry read(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    if (bytes.length == 0) {
      throw new UnreadableException("entry is empty, must begin with the version of its format.");
    }
    if (bytes[0] != VERSION) {
      throw new UnreadableException(unknown(bytes[0] & 0xff));
    }
    return ENTRIES.fromCbor(bytes, 1, bytes.length - 1);
  }

  /** Returns an entry as JSON in one line, for people and other programs. Times are in ns. */
  public static String toJson(Entry entry) {
    Objects.requireNonNull(entry, "entry");
    return ENTRIES.toJson(entry);
  }

  /**
   * Reads an entry from the JSON that {@link #toJson} wrote.
   *
   * @throws UnreadableException if it is damaged, or has members that this version does not know
   */
  public static Entry fromJson(String json) {
    Objects.requireNonNull(json, "json");
    return ENTRIES.fromJson(json);
  }

  static String unknown(int version) {
    return version > VERSION
        ? "entry is of format %s, this version of Berth reads formats up to %s. Maybe use a later version of Berth."
            .formatted(version, VERSION)
        : "entry is of format %s, must be from 1 to %s.".formatted(version, VERSION);
  }
}
