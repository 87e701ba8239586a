package dev.berth.runtime;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A force of the journal by a loop, as JFR records it. */
@Name("dev.berth.JournalForce")
@Label("Journal Force")
@Category("Berth")
@Description("A loop waited until the records of its journal were durable")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // JFR reads the fields
final class ForceRecord extends Event {

  private static final ForceRecord PROBE = new ForceRecord(); // answers for all of its type

  @Label("Records")
  @Description("Number of records that were appended since the force before")
  private long records;

  @Label("Bytes")
  @Description("Size of these records without the overhead of the journal")
  @DataAmount
  private long bytes;

  static @Nullable ForceRecord beginIfEnabled() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    ForceRecord begun = new ForceRecord();
    begun.begin();
    return begun;
  }

  /** Records the end of the force. */
  void end(long ofRecords, long ofBytes) {
    end();
    if (shouldCommit()) {
      records = ofRecords;
      bytes = ofBytes;
      commit();
    }
  }
}
