package dev.berth.core;

import dev.berth.api.plan.Plan;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A pass, as JFR records it. */
@Name("dev.berth.Pass")
@Label("Pass")
@Category("Berth")
@Description("A scheduling pass, from its call to its plan")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // JFR reads the fields
final class PassRecord extends Event {

  private static final PassRecord PROBE = new PassRecord(); // answers for all of its type

  @Label("Number")
  @Description("Number of the pass, counting from 1")
  private long number;

  @Label("Decisions")
  @Description("Number of actions in the plan")
  private int decisions;

  @Label("Waiting")
  @Description("Number of instances that are pending after the pass")
  private int waiting;

  @Label("Hosts")
  @Description("Number of hosts that are up")
  private int hosts;

  @Label("Failed")
  @Description("Whether the pass failed, and was undone")
  private boolean failed;

  static @Nullable PassRecord beginIfEnabled() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    PassRecord begun = new PassRecord();
    begun.begin();
    return begun;
  }

  /** Records the end of the pass; without a plan it failed. */
  void end(@Nullable Plan plan, long itsNumber, int pending, int hostsUp) {
    end();
    if (shouldCommit()) {
      number = itsNumber;
      decisions = plan == null ? 0 : plan.actions().size();
      waiting = pending;
      hosts = hostsUp;
      failed = plan == null;
      commit();
    }
  }
}
