package dev.berth.core.internal.state;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.plan.Attempt;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.OptionalLong;

/**
 * The reports of a fleet about one attempt of an instance. They may be late or doubled, and they
 * say when something happened.
 *
 * <p>A report about an earlier attempt is stale, since the plan that began the later one has
 * settled what became of it. The accounting starts from the time in the report, but not before the
 * present state began.
 */
public final class AttemptReports {

  private final ClusterState state;
  private final ClusterEvents events;

  /** Prepares reports on a cluster. */
  public AttemptReports(ClusterState state, ClusterEvents events) {
    this.state = state;
    this.events = events;
  }

  /** Starts the service of an attempt. */
  public void started(Attempt attempt, long at, long now) {
    InstanceRecord instance = require(attempt, " is ready");
    if (instance.state() != InstanceState.STARTING) {
      throw stale(instance, attempt, " is ready");
    }
    requireTime(attempt, " is ready", at, now);
    events.start(instance, Math.max(at, instance.stateSince()), now);
  }

  /** Makes the instance of an attempt that failed pending again. */
  public void failed(Attempt attempt, long at, long now) {
    InstanceRecord instance = require(attempt, " failed");
    if (!instance.state().isOnHost()) {
      throw stale(instance, attempt, " failed");
    }
    requireTime(attempt, " failed", at, now);
    events.fail(instance, Math.max(at, instance.stateSince()), now);
  }

  /**
   * Ends the instance of an attempt that completed. If a plan or another report has stopped the
   * attempt meanwhile, it finished first.
   */
  public Instance completed(Attempt attempt, OptionalLong cpuTime, long at, long now) {
    InstanceRecord instance = require(attempt, " completed");
    requireTime(attempt, " completed", at, now);
    return events.end(instance, Math.max(at, instance.stateSince()), now, false, cpuTime);
  }

  /** Returns the instance of an attempt that is its latest. */
  private InstanceRecord require(Attempt attempt, String event) {
    InstanceRecord instance = state.instanceRecord(attempt.instance());
    if (instance == null) {
      throw new EventRefusedException(
          "instance %s%s, but there is no such instance, or it is done."
              .formatted(attempt.instance(), event));
    }
    if (attempt.number() > instance.attempt()) {
      throw new EventRefusedException(
          ("instance %s%s in attempt %s, but no plan has begun it: the latest is %s."
                  + " Maybe the fleet follows another scheduler, or one that was restarted.")
              .formatted(attempt.instance(), event, attempt.number(), instance.attempt()));
    }
    if (attempt.number() != instance.presentAttempt()) {
      throw stale(instance, attempt, event);
    }
    return instance;
  }

  private static StaleReportException stale(
      InstanceRecord instance, Attempt attempt, String event) {
    return new StaleReportException(
        "instance %s%s in attempt %s, but it has been %s since %s ns, in attempt %s."
            .formatted(
                attempt.instance(),
                event,
                attempt.number(),
                instance.state(),
                instance.stateSince(),
                instance.attempt()));
  }

  private void requireTime(Attempt attempt, String event, long at, long now) {
    state.requireNotPast(now, "instance ", attempt.instance(), event);
    if (at > now) {
      throw new EventRefusedException(
          "instance %s%s at %s ns, must not be after the report of it at %s ns."
              .formatted(attempt.instance(), event, at, now));
    }
  }
}
