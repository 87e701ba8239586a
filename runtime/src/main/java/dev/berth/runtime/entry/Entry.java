package dev.berth.runtime.entry;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import java.util.Objects;

/**
 * What one record of a journal means. A journal holds, in order, all that decides what a scheduler
 * does: its settings, its events, its passes with digests, and which actions were carried out.
 *
 * <p>Entries are immutable and safe for use by several threads. {@link EntryFormat} writes and
 * reads them.
 */
public sealed interface Entry {

  /**
   * A scheduler began to write to the journal, with these settings.
   *
   * @param format the version of the format of this and the following entries, at least 1 and at
   *     most {@link EntryFormat#VERSION}
   * @param engine the version of Berth, for messages; see {@link EntryFormat#engine}
   * @param settings what decides its plans, apart from its events
   */
  record Opened(int format, String engine, Settings settings) implements Entry {
    /**
     * Checks the format.
     *
     * @throws IllegalArgumentException if this version of Berth does not know the format
     */
    public Opened {
      Objects.requireNonNull(engine, "engine");
      Objects.requireNonNull(settings, "settings");
      if (format < 1 || format > EntryFormat.VERSION) {
        throw new IllegalArgumentException(EntryFormat.unknown(format));
      }
    }

    /** Creates an entry of the present format and the present version of Berth. */
    public Opened(Settings settings) {
      this(EntryFormat.VERSION, EntryFormat.engine(), settings);
    }
  }

  /**
   * The scheduler received an event.
   *
   * @param now the time at which it received it, in nanoseconds since the epoch of the scheduler
   * @param input the input, which the scheduler may have refused
   */
  record Applied(long now, Event<?> input) implements Entry {
    /** Refuses null. */
    public Applied {
      Objects.requireNonNull(input, "input");
    }
  }

  /**
   * A pass has returned a plan.
   *
   * @param pass its number, counting from 1
   * @param now its time, in nanoseconds since the epoch of the scheduler
   * @param plan the {@linkplain Plan#digest digest} of the plan
   * @param state the {@linkplain Scheduler#digest digest} of the scheduler after the pass
   */
  record Passed(long pass, long now, long plan, long state) implements Entry {
    /**
     * Checks the number of the pass.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Passed {
      refuseIf(pass < 1, "pass was %s, must be 1 or more.", pass);
    }

    /**
     * Returns the entry of a pass that a scheduler has just finished.
     *
     * @throws IllegalArgumentException if the scheduler has run another pass since
     */
    public static Passed of(Plan plan, Scheduler scheduler) {
      Objects.requireNonNull(plan, "plan");
      Objects.requireNonNull(scheduler, "scheduler");
      refuseIf(
          plan.pass() != scheduler.passes(),
          "the plan is of pass %s, must be of pass %s, which is the latest.",
          plan.pass(),
          scheduler.passes());
      return new Passed(plan.pass(), plan.now(), plan.digest(), scheduler.digest());
    }
  }

  /**
   * The fleet has carried out an action.
   *
   * @param action its id
   */
  record Settled(ActionId action) implements Entry {
    /** Refuses null. */
    public Settled {
      Objects.requireNonNull(action, "action");
    }
  }
}
