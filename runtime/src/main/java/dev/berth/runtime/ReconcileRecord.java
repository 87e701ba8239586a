package dev.berth.runtime;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A comparison with the fleet, as JFR records it. */
@Name("dev.berth.Reconcile")
@Label("Reconcile")
@Category("Berth")
@Description("A loop compared what its scheduler believes with what the fleet has")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // JFR reads the fields
final class ReconcileRecord extends Event {

  private static final ReconcileRecord PROBE = new ReconcileRecord(); // answers for all of its type

  @Label("Differences")
  @Description("Number of differences that were found and corrected")
  private int differences;

  static @Nullable ReconcileRecord beginIfEnabled() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    ReconcileRecord begun = new ReconcileRecord();
    begun.begin();
    return begun;
  }

  /** Records the end of the comparison. */
  void end(int found) {
    end();
    if (shouldCommit()) {
      differences = found;
      commit();
    }
  }
}
