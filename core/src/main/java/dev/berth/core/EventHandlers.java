package dev.berth.core;

import dev.berth.api.Instance;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Difference;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.api.plan.Trigger;
import dev.berth.core.config.Durations;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Corrections;
import dev.berth.core.internal.state.Events;
import dev.berth.core.internal.state.Rejections;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a scheduler does about each event. */
final class EventHandlers {

  private static final Object NO_CHANGE = new Object();

  private final ClusterState state;
  private final Events events;
  private final PassTimer timer;
  private final PassRunner runner;
  private final UndoLog undoLog;
  private final RecordedDecisions log;
  private final @Nullable DecisionReport report; // null: there is no listener

  EventHandlers(
      Events events,
      PassTimer timer,
      PassRunner runner,
      UndoLog undoLog,
      RecordedDecisions log,
      @Nullable DecisionReport report) {
    this.state = events.state();
    this.events = events;
    this.timer = timer;
    this.runner = runner;
    this.undoLog = undoLog;
    this.log = log;
    this.report = report;
  }

  /**
   * Applies an event, other than a comparison with a fleet, and makes a pass due.
   *
   * @return the answer to the event
   */
  Object apply(Event<?> event, long now) {
    Object answer = handle(event, now);
    if (answer == NO_CHANGE) {
      return Accepted.ACCEPTED;
    }
    trigger(event);
    return answer;
  }

  /** Applies an event that adds or admits something, and returns a live view of that. */
  Object added(Event<?> event, long now) {
    Object view = add(event, now);
    trigger(event);
    return view;
  }

  private void trigger(Event<?> event) {
    Optional<Trigger> trigger = event.kind().trigger();
    if (trigger.isPresent()) {
      timer.trigger(trigger.get());
    }
  }

  private Object add(Event<?> event, long now) {
    if (event instanceof Event.Submitted submitted) {
      return events.admissions().submit(submitted.request(), submitted.history(), now);
    } else if (event instanceof Event.BagSubmitted submitted) {
      return happened(events.batches().submit(submitted.bag(), now, undoLog));
    } else if (event instanceof Event.GroupSubmitted submitted) {
      return happened(events.batches().submit(submitted.group(), now, undoLog));
    } else if (event instanceof Event.HostAdded joins) {
      return events.hosts().addHost(joins.spec(), now);
    }
    Event.Adopted adopted = (Event.Adopted) event;
    return events.admissions().adopt(adopted.how(), adopted.seen(), now);
  }

  /** Forgets how to undo an event, since it is not only supposed. */
  private Object happened(Object added) {
    undoLog.clear();
    return added;
  }

  private Object handle(Event<?> event, long now) {
    return switch (event.kind()) {
      case POOL_OFFERED -> {
        state.pools().offer(((Event.PoolOffered) event).pool(), now);
        yield Accepted.ACCEPTED;
      }
      case LIMIT_SET -> {
        Event.LimitSet set = (Event.LimitSet) event;
        yield ifChanged(state.setLimit(set.limit(), set.amount(), now));
      }
      case HOST_ADDED, SUBMITTED, BAG_SUBMITTED, GROUP_SUBMITTED, ADOPTED -> {
        add(event, now);
        yield Accepted.ACCEPTED;
      }
      case HOST_REMOVED -> {
        events.hosts().removeHost(((Event.HostRemoved) event).host(), now);
        yield Accepted.ACCEPTED;
      }
      case HOST_CHANGED ->
          ifChanged(events.hostChanges().changeHost(((Event.HostChanged) event).spec(), now));
      case FOREIGN_LOAD_REPORTED -> {
        Event.ForeignLoadReported load = (Event.ForeignLoadReported) event;
        yield ifChanged(events.hostChanges().foreignLoad(load.host(), load.foreign(), now));
      }
      case HOST_DRAINED -> {
        Event.HostDrained drained = (Event.HostDrained) event;
        yield ifChanged(events.hostChanges().drain(drained.host(), drained.how(), now));
      }
      case HOST_CORDONED ->
          ifChanged(events.hostChanges().cordon(((Event.HostCordoned) event).host(), now));
      case HOST_UNCORDONED ->
          ifChanged(events.hostChanges().uncordon(((Event.HostUncordoned) event).host(), now));
      case BUDGET_SET -> {
        Event.BudgetSet set = (Event.BudgetSet) event;
        yield ifChanged(state.budgets().set(set.job(), set.budget(), now));
      }
      case BUDGET_REMOVED ->
          ifChanged(state.budgets().remove(((Event.BudgetRemoved) event).job(), now));
      case LOAD_REPORTED -> {
        Event.LoadReported load = (Event.LoadReported) event;
        events.hostChanges().loadReported(load.host(), load.average(), now);
        yield Accepted.ACCEPTED;
      }
      case STARTED -> {
        Event.Started started = (Event.Started) event;
        events.instances().started(started.attempt(), started.at().orElse(now), now);
        yield started(started.instance());
      }
      case STARTED_NOW -> {
        String instance = ((Event.StartedNow) event).instance();
        events.instances().started(instance, now);
        yield started(instance);
      }
      case USAGE_REPORTED -> {
        Event.UsageReported usage = (Event.UsageReported) event;
        events.instances().usageReported(usage.instance(), usage.used(), usage.shortfall(), now);
        yield Accepted.ACCEPTED;
      }
      case FAILED -> {
        Event.Failed failed = (Event.Failed) event;
        yield failed(
            failed.instance(),
            events.instances().failed(failed.attempt(), failed.at().orElse(now), now));
      }
      case FAILED_NOW -> {
        String instance = ((Event.FailedNow) event).instance();
        yield failed(instance, events.instances().failed(instance, now));
      }
      case COMPLETED -> {
        Event.Completed done = (Event.Completed) event;
        OptionalLong cpuTime = nanos(done.instance(), done.cpuTime());
        yield ended(
            events.instances().completed(done.attempt(), cpuTime, done.at().orElse(now), now));
      }
      case COMPLETED_NOW -> {
        Event.CompletedNow done = (Event.CompletedNow) event;
        OptionalLong cpuTime = nanos(done.instance(), done.cpuTime());
        yield ended(events.instances().done(done.instance(), now, false, cpuTime));
      }
      case ACTION_REJECTED -> rejected((Event.ActionRejected) event, now);
      case RECONCILED -> throw new AssertionError("each correction is an event of its own");
      case CANCELLED ->
          ended(
              events
                  .instances()
                  .done(((Event.Cancelled) event).instance(), now, true, OptionalLong.empty()));
      case BAG_CANCELLED -> {
        Event.BagCancelled cancelled = (Event.BagCancelled) event;
        BagReport ended = events.batches().cancelBag(cancelled.bag(), cancelled.why(), now);
        ended.cancelled().forEach(each -> runner.departed(each.id()));
        yield ended;
      }
      case GROUP_CANCELLED ->
          events.batches().cancelGroup(((Event.GroupCancelled) event).group(), now).stream()
              .map(this::ended)
              .toList();
    };
  }

  private static Object ifChanged(boolean changed) {
    return changed ? Accepted.ACCEPTED : NO_CHANGE;
  }

  private Accepted failed(String instance, boolean gaveUp) {
    if (gaveUp) {
      runner.departed(instance);
    }
    return gaveUp ? Accepted.GAVE_UP : Accepted.ACCEPTED;
  }

  private Accepted started(String instance) {
    triggerIfOpened();
    if (state.budgets().isFreedBy(instance)) {
      timer.trigger(Trigger.BUDGET_CHANGED);
    }
    return Accepted.ACCEPTED;
  }

  private void triggerIfOpened() {
    if (state.backoffs().takeHostOpened()) {
      timer.trigger(Trigger.HELD_BACK_ENDED);
    }
  }

  private static OptionalLong nanos(String instance, Optional<Duration> cpuTime) {
    if (cpuTime.isEmpty()) {
      return OptionalLong.empty();
    }
    Duration time = cpuTime.get();
    if (time.isNegative()) {
      throw Code.INVALID_VALUE.refusal(
          "instance %s completed after a CPU time of %s, must not be negative.", instance, time);
    }
    return OptionalLong.of(Durations.toNanosSaturated(time));
  }

  private InstanceReport ended(Instance done) {
    Plan lastPlan = runner.lastPlan();
    if (!lastPlan.deferrals().isEmpty()
        || !lastPlan.bagDeferrals().isEmpty()
        || !lastPlan.policyErrors().isEmpty()) {
      runner.departed(done.id());
    }
    return InstanceReport.of(done, done.stateSince());
  }

  private Rejection rejected(Event.ActionRejected event, long now) {
    Rejection rejection = new Rejections(events).rejected(event.action(), event.why(), now);
    rejection.undone().forEach(each -> runner.undone(each.action()));
    if (rejection.gaveUp()) {
      Action place = rejection.undone().get(rejection.undone().size() - 1).action();
      runner.departed(((Action.OnInstance) place).instance());
    }
    log.undo(rejection);
    if (report != null) {
      report.add(rejection);
    }
    return rejection;
  }

  /** Corrects one difference from a fleet, and returns it. */
  Difference correct(Corrections.Correction found) {
    found.event().run();
    if (found.difference() instanceof Difference.InstanceGone gone && gone.ended()) {
      runner.departed(gone.instance());
    }
    timer.trigger(found.trigger());
    triggerIfOpened();
    return found.difference();
  }
}
