package dev.berth.runtime;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import dev.berth.runtime.ActionQueue.OpenAction;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the fleet has settled, so that a pass can rely on what it was seen to have. */
final class FleetSettlement {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  private final Scheduler scheduler;
  private final ActionQueue actions;
  private final FleetQuestion question;
  private final Duration busyTimeout;

  private long busySince = Long.MAX_VALUE; // for how long no pass ran because of others' actions
  private final Set<String> ignored = new HashSet<>(); // instances that the fleet was busy with

  FleetSettlement(
      Scheduler scheduler, ActionQueue actions, FleetQuestion question, Duration busyTimeout) {
    this.scheduler = scheduler;
    this.actions = actions;
    this.question = question;
    this.busyTimeout = busyTimeout;
  }

  /** Takes note of the instances that the fleet says it is about. */
  void seen(Set<String> underWay) {
    ignored.retainAll(underWay);
  }

  /** Returns when to wait no longer; {@link Long#MAX_VALUE} if nothing is waited for. */
  long busyUntil() {
    return busySince == Long.MAX_VALUE ? busySince : LoopTime.after(busySince, busyTimeout);
  }

  /**
   * Returns whether the fleet changes no instance in a way that the scheduler does not know of, or
   * has done so for too long.
   */
  boolean isSettled(Set<String> underWay, long now) {
    Set<String> busy = new TreeSet<>(underWay);
    busy.removeIf(each -> ignored.contains(each) || !isUnknownWork(each));
    if (busy.isEmpty()) {
      busySince = Long.MAX_VALUE;
    } else {
      busySince = Math.min(busySince, now);
      if (now < busyUntil()) {
        LOG.info("The fleet still carries out actions that are over on {}; no pass yet.", busy);
        return false;
      }
      LOG.error(
          "The fleet says for {} that it is about {}, for no known action. Passes run all the same.",
          busyTimeout,
          busy);
      ignored.addAll(busy);
      busySince = Long.MAX_VALUE;
    }
    return underWay.stream().noneMatch(this::isUnsettled);
  }

  /** Returns whether an instance is known that the fleet is about, though for no open action. */
  private boolean isUnknownWork(String instance) {
    return !question.changed().contains(instance)
        && question.ended(instance) == null
        && actions.lastOf(instance) == null
        && scheduler.instance(instance).isPresent();
  }

  /**
   * Returns whether an open action leads an instance elsewhere than the scheduler believes, or an
   * action ended that the observation may not show. Another start would make a second copy or
   * exceed a host.
   */
  private boolean isUnsettled(String id) {
    Optional<Instance> instance = scheduler.instance(id);
    Action over = question.ended(id);
    if (instance.isEmpty() || (over == null && question.changed().contains(id))) {
      return false;
    }
    OpenAction last = actions.lastOf(id);
    if (last != null) {
      return !leadsTo(last.action, instance.get());
    }
    boolean isPending = instance.get().state() == InstanceState.PENDING;
    return over != null && (isPending || !leadsTo(over, instance.get()));
  }

  /** Returns whether an instance is where the scheduler believes it once an action is done. */
  private static boolean leadsTo(Action last, Instance instance) {
    if (last instanceof Action.Starts start) {
      return instance.state() != InstanceState.PENDING
          && instance.attempt() == start.attempt()
          && instance.host().filter(it -> it.id().equals(start.host())).isPresent();
    }
    return !(last instanceof Action.Preempt || last instanceof Action.Evict)
        || instance.state() == InstanceState.PENDING;
  }
}
