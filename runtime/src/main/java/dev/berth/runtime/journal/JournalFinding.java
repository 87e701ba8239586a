package dev.berth.runtime.journal;

import dev.berth.api.Experimental;

/**
 * Something unusual that was found in the files of a journal. Immutable.
 *
 * @param kind what it is
 * @param file name of the file in the directory of the journal
 * @param offset offset in bytes at which it begins in the file
 * @param message the finding in one sentence, for people
 */
@Experimental
public record JournalFinding(Kind kind, String file, long offset, String message) {

  /** The kinds of findings. */
  public enum Kind {
    /** Bytes after the last record that were never forced; an opening ignores them. */
    CUT_TAIL,
    /** Records that a writer wrote after another one had taken over; they do not count. */
    STALE_RECORDS,
    /** A snapshot that cannot be used; an older one takes its place. */
    DAMAGED_SNAPSHOT,
    /** A file that an interrupted snapshot, start or compaction left; the next one removes it. */
    LEFTOVER_FILE,
    /** Damage of forced data; the journal refuses to open. */
    DAMAGE,
    /** A file of a newer version of Berth; the journal refuses to open. */
    NEWER_VERSION
  }

  /** Returns the file, the offset and the message in one line. */
  @Override
  public String toString() {
    return "%s: byte %s: %s".formatted(file, offset, message);
  }
}
