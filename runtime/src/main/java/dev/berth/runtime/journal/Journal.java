package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * An append-only log of records, with snapshots that stand for its beginning. Records are bytes;
 * the journal does not know their meaning.
 *
 * <p>Records are numbered from 1 without gaps, for ever: neither {@linkplain #compact compaction}
 * nor a restart changes a number. {@link #append} and {@link #force} are separate, so that many
 * records can share one force. A replicated journal appends to its own copy and waits in {@code
 * force} until a majority has the records.
 *
 * <p>One thread uses a journal, that of the loop; no method may be called by two threads at a time.
 * Once {@code append} or {@code force} has thrown an {@link IOException}, nothing may be assumed
 * about records that were not forced before, and the journal refuses further work with a {@link
 * JournalFailedException}.
 */
@Experimental
public interface Journal extends Closeable {

  /**
   * Appends a record and returns its number. The record is durable once {@link #force} has
   * returned. Copies the bytes.
   *
   * @param record may be empty
   * @throws IllegalArgumentException if the record exceeds the maximum size of the journal
   * @throws JournalFencedException if another writer has opened the journal since
   * @throws JournalFailedException if the journal failed before
   * @throws IOException if the journal fails now; the record may or may not be there afterwards
   */
  long append(byte[] record) throws IOException;

  /**
   * Returns once all appended records are durable, as far as the settings of the journal promise.
   *
   * @throws JournalFencedException if another writer has opened the journal since
   * @throws JournalFailedException if the journal failed before
   * @throws IOException if the journal fails now; the records since the last force may or may not
   *     be there afterwards
   */
  void force() throws IOException;

  /** Returns the number of the latest record; 0 before the first. */
  long lastNumber();

  /** Returns the number of the oldest record that can be read; one more than the last if none. */
  long firstNumber();

  /** Returns the number up to which all records are known to be durable; 0 if none. */
  long forcedNumber();

  /**
   * Returns the fencing number of this writer, from 1. Each writer that opens the journal has a
   * greater one than all before it, and each record carries that of its writer.
   */
  long fence();

  /** Returns the bytes that the journal takes: records with their overhead, and snapshots. */
  long size();

  /**
   * Returns the records from a number up to the present last one, in order. The records are read
   * while the cursor advances, not kept in memory. Close it before {@link #compact}.
   *
   * @param from between {@link #firstNumber} and {@link #lastNumber} + 1
   * @throws IllegalArgumentException if {@code from} is outside these bounds
   */
  JournalCursor read(long from) throws IOException;

  /**
   * Saves a snapshot that stands for all records up to a number. Forces the journal first. On
   * return the snapshot is durable and was read back; older snapshots are still there.
   *
   * <p>If the content throws, or the disk has no room for the snapshot, the journal can still be
   * used and the snapshots before are untouched.
   *
   * @param number number of the last record that it covers; from that of the snapshot before to
   *     {@link #lastNumber}; 0 for a snapshot before the first record
   * @param content writes the content
   * @throws IllegalArgumentException if {@code number} is outside these bounds
   * @throws IOException if the snapshot could not be saved
   */
  void saveSnapshot(long number, SnapshotContent content) throws IOException;

  /** Returns the latest snapshot that is undamaged, if there is any. */
  Optional<JournalSnapshot> latestSnapshot() throws IOException;

  /**
   * Drops records and snapshots that verified snapshots make needless, and returns the number of
   * bytes that it freed. Records after the oldest snapshot that is kept remain.
   *
   * @throws IOException if something could not be dropped; nothing that is needed is lost
   */
  long compact() throws IOException;

  /**
   * Forces the journal, unless it failed, and releases it. Has no effect on a closed journal.
   *
   * @throws IOException if the force fails; the journal is released all the same
   */
  @Override
  void close() throws IOException;
}
