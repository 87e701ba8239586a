package dev.berth.runtime.journal;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Experimental;
import java.util.Objects;

/**
 * The settings of a {@link FileJournal}. They can differ from one opening to the next; records that
 * exceed a smaller maximum can still be read. Immutable.
 *
 * @param forceMode when the journal waits for the disk
 * @param segmentSize bytes after which a new file begins, at least {@value #MIN_SEGMENT_SIZE}; a
 *     file with a single longer record exceeds it
 * @param maxRecordSize the most bytes of a record, from 1 to {@value #LARGEST_RECORD}
 * @param snapshotsKept how many verified snapshots compaction keeps, at least 1, with all records
 *     after the oldest of them. As long as there are fewer, compaction drops no record. With 1, a
 *     snapshot that is damaged later cannot be replaced by the one before
 */
@Experimental
public record FileJournalOptions(
    ForceMode forceMode, long segmentSize, int maxRecordSize, int snapshotsKept) {

  /** The smallest size of a segment in bytes. */
  public static final long MIN_SEGMENT_SIZE = 256;

  /** The largest maximum of a record in bytes: 1 GiB. */
  public static final int LARGEST_RECORD = 1 << 30;

  private static final FileJournalOptions DEFAULTS =
      new FileJournalOptions(ForceMode.GROUP, 64L << 20, 256 << 20, 2);

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of its bounds
   */
  public FileJournalOptions {
    Objects.requireNonNull(
        forceMode, "FileJournalOptions: forceMode was null, must be EACH, GROUP or NEVER.");
    refuseIf(
        segmentSize < MIN_SEGMENT_SIZE,
        "FileJournalOptions: segmentSize was %s bytes, must be %s or more.",
        segmentSize,
        MIN_SEGMENT_SIZE);
    refuseIf(
        maxRecordSize < 1 || maxRecordSize > LARGEST_RECORD,
        "FileJournalOptions: maxRecordSize was %s bytes, must be from 1 to %s.",
        maxRecordSize,
        LARGEST_RECORD);
    refuseIf(
        snapshotsKept < 1,
        "FileJournalOptions: snapshotsKept was %s, must be 1 or more.",
        snapshotsKept);
  }

  /**
   * Returns the defaults: {@link ForceMode#GROUP}, segments of 64 MiB, records of up to 256 MiB,
   * two snapshots kept.
   */
  public static FileJournalOptions defaults() {
    return DEFAULTS;
  }

  /** Returns the same settings with another force mode. */
  public FileJournalOptions withForceMode(ForceMode mode) {
    return new FileJournalOptions(mode, segmentSize, maxRecordSize, snapshotsKept);
  }

  /** Returns the same settings with another size of segments in bytes. */
  public FileJournalOptions withSegmentSize(long bytes) {
    return new FileJournalOptions(forceMode, bytes, maxRecordSize, snapshotsKept);
  }

  /** Returns the same settings with another maximum size of records in bytes. */
  public FileJournalOptions withMaxRecordSize(int bytes) {
    return new FileJournalOptions(forceMode, segmentSize, bytes, snapshotsKept);
  }

  /** Returns the same settings with another number of snapshots to keep. */
  public FileJournalOptions withSnapshotsKept(int count) {
    return new FileJournalOptions(forceMode, segmentSize, maxRecordSize, count);
  }
}
