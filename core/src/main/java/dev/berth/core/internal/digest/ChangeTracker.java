package dev.berth.core.internal.digest;

import dev.berth.core.internal.digest.TrackedRecord.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The sum of the hashes of all records of a cluster, and the records that changed since it was
 * computed. It exists once a digest was asked for, so a scheduler without digests pays a null check
 * for each change.
 */
public final class ChangeTracker {

  private static final int FEW = 1024;

  private List<TrackedRecord> changed = new ArrayList<>();
  private boolean lost = true; // whether all records count as changed
  private long sum;
  private long rehashed;

  public ChangeTracker() {}

  /** Notes that a record was added, changed or removed. */
  public void changed(TrackedRecord record) {
    if (lost) {
      return;
    }
    Trace trace = traceOf(record);
    if (!trace.changed) {
      trace.changed = true;
      changed.add(record);
    }
  }

  private static Trace traceOf(TrackedRecord record) {
    Trace trace = record.trace;
    if (trace == null) {
      trace = new Trace();
      record.trace = trace;
    }
    return trace;
  }

  /**
   * Forgets which records changed if their list has become much longer than the list of records.
   * Then the last digest was long ago, and the list keeps records that are gone.
   *
   * @param present number of records
   */
  public void trim(int present) {
    if (changed.size() > FEW && changed.size() / 2 > present) {
      lost = true;
      changed = new ArrayList<>();
    }
  }

  /**
   * Returns the sum of the hashes of all records. Computes those of the records that changed.
   *
   * @param all passes each record to a consumer
   * @param present whether a record is part of the cluster
   * @param hash computes the hash of a record
   */
  public long sum(
      Consumer<Consumer<TrackedRecord>> all,
      Predicate<TrackedRecord> present,
      ToLongFunction<TrackedRecord> hash) {
    if (lost) {
      changed.clear();
      sum = 0;
      all.accept(
          each -> {
            Trace trace = traceOf(each);
            trace.counted = false;
            trace.changed = true;
            changed.add(each);
          });
      lost = false;
    }
    for (TrackedRecord each : changed) {
      Trace trace = traceOf(each);
      trace.changed = false;
      if (trace.counted) {
        sum -= trace.hash;
      }
      trace.counted = present.test(each);
      if (trace.counted) {
        trace.hash = hash.applyAsLong(each);
        sum += trace.hash;
        rehashed++;
      }
    }
    changed.clear();
    return sum;
  }

  /** Returns the hash of the parts of a record that never change, computed at most once. */
  public static long fixedHash(TrackedRecord record, LongSupplier hash) {
    Trace trace = traceOf(record);
    if (!trace.fixedHashKnown) {
      trace.fixedHash = hash.getAsLong();
      trace.fixedHashKnown = true;
    }
    return trace.fixedHash;
  }

  /** Returns how many hashes of records were computed so far. */
  public long rehashed() {
    return rehashed;
  }
}
