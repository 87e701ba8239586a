package dev.berth.core.internal.state;

import com.google.common.collect.Sets;
import dev.berth.api.Backoff;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import dev.berth.api.plan.Attempt;
import dev.berth.api.policy.Completion;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.EndedInstances.Ended;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The events of instances, as a fleet and users report them. An event that is refused or fails
 * changes nothing.
 *
 * <p>Reports about one attempt may be late or doubled, and they say when something happened. A
 * report about an earlier attempt is stale, since the plan that began the later one has settled
 * what became of it. The accounting starts from the time in the report, but not before the present
 * state began.
 */
public final class InstanceEvents {

  private static final Set<InstanceState> READY_NEXT =
      Sets.immutableEnumSet(InstanceState.STARTING);
  private static final Set<InstanceState> RUNS = Sets.immutableEnumSet(InstanceState.RUNNING);
  private static final Set<InstanceState> ON_HOST =
      Sets.immutableEnumSet(
          InstanceState.STARTING,
          InstanceState.RUNNING,
          InstanceState.PAUSED,
          InstanceState.SUSPENDED);
  private static final Set<InstanceState> LIVE =
      Sets.immutableEnumSet(Sets.union(ON_HOST, Set.of(InstanceState.PENDING)));

  private static final long FORGIVEN_AFTER = Backoff.FORGIVEN_AFTER.toNanos();

  private final ClusterState state;
  private final Transitions transitions;

  InstanceEvents(ClusterState state, Transitions transitions) {
    this.state = state;
    this.transitions = transitions;
  }

  /** Starts the service of an instance that is ready. */
  public void started(String id, long time) {
    start(require(id, time, " is ready", READY_NEXT), time, time);
  }

  /** Starts the service of a starting instance, at a time that is not after now. */
  void start(InstanceRecord instance, long at, long time) {
    SavedInstance former = transitions.begin(instance);
    instance.runs(at);
    transitions.rekey(instance, former);
    state.openActions().confirm(instance);
    state.backoffs().succeeded(instance);
    transitions.move(instance, former, time);
  }

  /** Makes an instance that failed pending again, or ends it. Returns whether it has ended. */
  public boolean failed(String id, long time) {
    return fail(require(id, time, " failed", ON_HOST), time, time);
  }

  /** Makes an instance pending, or ends it, from a time that is not after now. */
  boolean fail(InstanceRecord instance, long at, long time) {
    InstanceState former = instance.state();
    HostRecord host = instance.place();
    long since = instance.stateSince();
    stop(
        instance,
        at,
        time,
        () -> {
          if (former == InstanceState.STARTING) {
            state.backoffs().failed(instance, host, time);
          } else if (former == InstanceState.RUNNING && at - since < FORGIVEN_AFTER) {
            state.backoffs().crashed(instance, time);
          }
        });
    if (instance.isGivenUp()) {
      end(instance, at, time, true, OptionalLong.empty());
      return true;
    }
    return false;
  }

  /** Makes an instance pending that was believed on a host, which says nothing of its start. */
  void miss(InstanceRecord instance, long time) {
    stop(instance, time, time, () -> {});
  }

  private void stop(InstanceRecord instance, long at, long time, Runnable counting) {
    SavedInstance former = transitions.begin(instance);
    instance.stops(at, false);
    transitions.rekey(instance, former);
    counting.run();
    state.openActions().end(instance);
    transitions.move(instance, former, time);
  }

  /**
   * Ends an instance. Returns it with its final accounting.
   *
   * @param cpuTime CPU time that it took on its host, in nanoseconds; empty if unknown
   */
  public Instance done(String id, long time, boolean cancelled, OptionalLong cpuTime) {
    InstanceRecord instance =
        cancelled
            ? require(id, time, " is cancelled", LIVE)
            : require(id, time, " completed", RUNS);
    return end(instance, time, time, cancelled, cpuTime);
  }

  /** Ends an instance in any state, at a time that is not after now. */
  Instance end(
      InstanceRecord instance, long at, long time, boolean cancelled, OptionalLong cpuTime) {
    if (!cancelled) {
      state.dependents().completed(instance.id(), time); // first, since a key of theirs may fail
    }
    SavedInstance former = transitions.begin(instance);
    HostRecord host = instance.place();
    Completion completion = instance.completion(at);
    instance.ends(at);
    state.setNow(time);
    transitions.leave(instance, former);
    if (host != null && cpuTime.isPresent()) {
      instance.request.application().ifPresent(name -> host.ran(name, cpuTime.getAsLong()));
    }
    state.remove(instance);
    state.openActions().end(instance);
    transitions.forget(instance);
    transitions.leaveBag(instance, !cancelled);
    transitions.leaveGroup(instance, !cancelled);
    state.noteEnded(instance, cancelled);
    if (!cancelled) {
      state.noteCompleted(completion);
    }
    state.endChange();
    return instance;
  }

  /** Records the measured usage of an instance on a host. */
  public void usageReported(String id, Resources used, Resources shortfall, long time) {
    InstanceRecord instance = require(id, time, " reports its usage", ON_HOST);
    state.refuseClash("usage of instance ", id, used);
    state.refuseClash("usage of instance ", id, shortfall);
    Usage usage = new Usage(time, used, shortfall);
    state.beginChange();
    state.setNow(time);
    instance.uses(usage);
    state.changed(instance);
    if (instance.place() != null) {
      state.touch(instance.place());
    }
    state.endChange();
  }

  private InstanceRecord require(String id, long time, String event, Set<InstanceState> allowed) {
    if (allowed != LIVE) { // it is a report
      refuseIfEnded(id, 0, event);
    }
    InstanceRecord instance = find(id, event);
    if (!allowed.contains(instance.state())) {
      throw Code.WRONG_STATE.refusal(
          "instance %s%s, but it has been %s since %s ns.%s",
          id,
          event,
          instance.state(),
          instance.stateSince(),
          instance.state() == InstanceState.STARTING ? " Maybe report started(...) first." : "");
    }
    state.requireNotPast(time, "instance ", id, event);
    return instance;
  }

  private InstanceRecord find(String id, String event) {
    InstanceRecord instance = state.instanceRecord(id);
    if (instance == null) {
      throw Code.UNKNOWN_INSTANCE.refusal(
          "instance %s%s, but there is no such instance, or it is done.", id, event);
    }
    return instance;
  }

  /** Refuses a late report. */
  private void refuseIfEnded(String id, int attempt, String event) {
    Ended ended = state.instanceRecord(id) == null ? state.ended().get(id) : null;
    if (ended != null && attempt <= ended.attempt()) {
      throw Code.STALE.refusal(
          "instance %s%s, but it %s, in attempt %s.",
          id, event, ended.cancelled() ? "was cancelled" : "completed", ended.attempt());
    }
  }

  // ---- Reports about one attempt

  /** Starts the service of an attempt. */
  public void started(Attempt attempt, long at, long now) {
    InstanceRecord instance = require(attempt, " is ready");
    if (instance.state() != InstanceState.STARTING) {
      throw stale(instance, attempt, " is ready");
    }
    requireTime(attempt, " is ready", at, now);
    start(instance, Math.max(at, instance.stateSince()), now);
  }

  /** Makes the instance of an attempt that failed pending, or ends it; returns whether it has. */
  public boolean failed(Attempt attempt, long at, long now) {
    InstanceRecord instance = require(attempt, " failed");
    if (!instance.state().isOnHost()) {
      throw stale(instance, attempt, " failed");
    }
    requireTime(attempt, " failed", at, now);
    return fail(instance, Math.max(at, instance.stateSince()), now);
  }

  /**
   * Ends the instance of an attempt that completed. If a plan or another report has stopped the
   * attempt meanwhile, it finished first.
   */
  public Instance completed(Attempt attempt, OptionalLong cpuTime, long at, long now) {
    InstanceRecord instance = require(attempt, " completed");
    requireTime(attempt, " completed", at, now);
    return end(instance, Math.max(at, instance.stateSince()), now, false, cpuTime);
  }

  /** Returns the instance of an attempt that is its latest. */
  private InstanceRecord require(Attempt attempt, String event) {
    refuseIfEnded(attempt.instance(), attempt.number(), event);
    InstanceRecord instance = find(attempt.instance(), event);
    if (attempt.number() > instance.attempt()) {
      throw Code.UNKNOWN_ATTEMPT.refusal(
          "instance %s%s in attempt %s, but no plan has begun it: the latest is %s."
              + " Maybe the fleet follows another scheduler, or one that was restarted.",
          attempt.instance(), event, attempt.number(), instance.attempt());
    }
    if (attempt.number() != instance.presentAttempt()) {
      throw stale(instance, attempt, event);
    }
    return instance;
  }

  private static EventRefusedException stale(
      InstanceRecord instance, Attempt attempt, String event) {
    return Code.STALE.refusal(
        "instance %s%s in attempt %s, but it has been %s since %s ns, in attempt %s.",
        attempt.instance(),
        event,
        attempt.number(),
        instance.state(),
        instance.stateSince(),
        instance.attempt());
  }

  private void requireTime(Attempt attempt, String event, long at, long now) {
    state.requireNotPast(now, "instance ", attempt.instance(), event);
    if (at > now) {
      throw Code.INVALID_TIME.refusal(
          "instance %s%s at %s ns, must not be after the report of it at %s ns.",
          attempt.instance(), event, at, now);
    }
  }
}
