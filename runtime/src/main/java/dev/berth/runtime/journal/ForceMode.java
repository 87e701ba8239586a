package dev.berth.runtime.journal;

import dev.berth.api.Experimental;

/**
 * When a {@link FileJournal} waits for the disk.
 *
 * <p>A kill of the process loses only records that were never handed to the operating system. A
 * failure of the machine also loses what the operating system had not written yet. In each mode the
 * journal forces a segment before it starts the next, each snapshot, and everything when it is
 * closed.
 */
@Experimental
public enum ForceMode {
  /**
   * {@code append} forces each record before it returns. Neither a kill nor a failure of the
   * machine loses a record whose {@code append} returned.
   */
  EACH,
  /**
   * {@code force} forces all records appended since the last one. Neither a kill nor a failure of
   * the machine loses a record that was appended before a {@code force} that returned. Both may
   * lose any record appended after it.
   */
  GROUP,
  /**
   * {@code force} hands all records to the operating system, which writes them when it likes. A
   * kill loses no record that was appended before a {@code force} that returned. A failure of the
   * machine may lose all records since the latest segment began, whatever {@code force} returned.
   */
  NEVER
}
