package dev.berth.runtime;

import dev.berth.api.Instance;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.runtime.ActionQueue.OpenAction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How plans and events change which actions are open: the same in the loop and in a replay. */
final class OpenActions {

  private OpenActions() {}

  /**
   * An instance that the fleet is to stop.
   *
   * @param attempt the attempt; empty for any
   * @param isStray whether a comparison has found it
   */
  record Stop(String instance, OptionalInt attempt, String host, boolean isStray) {
    static Stop of(ObservedInstance stray) {
      return new Stop(stray.id(), stray.attempt(), stray.host(), true);
    }

    @Override
    public String toString() {
      return "stop %s on host %s".formatted(instance, host);
    }

    private boolean isOf(String id, String on) {
      return instance.equals(id) && host.equals(on);
    }
  }

  /** Returns the instances that the fleet is to stop if a scheduler accepts an event. */
  static List<Stop> stops(Event<?> event, Scheduler scheduler) {
    if (!(event instanceof Event.Cancellation<?>)) {
      return List.of();
    }
    Stream<? extends Instance> cancelled;
    if (event instanceof Event.BagCancelled bag) {
      cancelled = scheduler.bag(bag.bag()).stream().flatMap(each -> each.instances().stream());
    } else if (event instanceof Event.GroupCancelled group) {
      Optional<String> id = Optional.of(group.group());
      cancelled = scheduler.instances().stream().filter(each -> each.group().equals(id));
    } else {
      cancelled = scheduler.instance(((Event.Cancelled) event).instance()).stream();
    }
    return cancelled.flatMap(OpenActions::stop).toList();
  }

  /**
   * Adds the hosts between which removed actions were to move cancelled instances: these may be on
   * either.
   */
  static Set<Stop> withHostsOf(List<OpenAction> removed, Event<?> event, List<Stop> stops) {
    Set<Stop> all = new LinkedHashSet<>();
    for (Stop each : stops) {
      boolean isSure = removed.stream().noneMatch(it -> endsAnotherAttempt(it, each));
      all.add(isSure ? each : new Stop(each.instance, OptionalInt.empty(), each.host, false));
    }
    if (event instanceof Event.Cancellation<?>) {
      for (OpenAction each : removed) {
        for (String instance : each.instances) {
          each.hosts.stream()
              .filter(host -> stops.stream().noneMatch(it -> it.isOf(instance, host)))
              .forEach(host -> all.add(new Stop(instance, attemptOf(each), host, false)));
        }
      }
    }
    return all;
  }

  /** Returns whether an action was to end an earlier attempt than a stop names, on its host. */
  private static boolean endsAnotherAttempt(OpenAction action, Stop stop) {
    boolean ends =
        action.action instanceof Action.Preempt
            || action.action instanceof Action.Evict
            || action.action instanceof Action.Resume
            || (action.action instanceof Action.Migrate move && move.from().equals(stop.host));
    return ends && action.instances.contains(stop.instance) && action.hosts.contains(stop.host);
  }

  /** Returns the attempt that an action begins; on the host that it leaves, any may be there. */
  private static OptionalInt attemptOf(OpenAction action) {
    return action.action instanceof Action.Starts start && !(start instanceof Action.Migrate)
        ? OptionalInt.of(start.attempt())
        : OptionalInt.empty();
  }

  private static Stream<Stop> stop(Instance instance) {
    return instance.host().stream()
        .map(
            host ->
                new Stop(
                    instance.id(), OptionalInt.of(instance.presentAttempt()), host.id(), false));
  }

  /** Adds the actions of a plan. */
  static void add(Plan plan, ActionQueue actions) {
    for (int i = 0; i < plan.actions().size(); i++) {
      actions.add(plan.id(i), plan.actions().get(i));
    }
  }

  /**
   * Removes the actions that an event has carried out or made needless. Returns the needless ones:
   * those that were undone, also if they were carried out, those on a host that has left, and those
   * on cancelled instances.
   *
   * @param answer the answer to the event
   */
  static List<OpenAction> after(Event<?> event, Object answer, ActionQueue actions) {
    if (event.kind().observed() == Event.Observed.NOTHING) {
      return List.of(); // no action has such an effect on a fleet
    }
    return switch (event.kind()) {
      case STARTED, STARTED_NOW, FAILED, FAILED_NOW, COMPLETED, COMPLETED_NOW -> {
        Event.OfAttempt<?> report = (Event.OfAttempt<?>) event;
        actions.removeStart(report.instance(), report.number());
        yield answer == Accepted.GAVE_UP ? actions.removeOf(report.instance()) : List.of();
      }
      case ACTION_REJECTED -> undone((Rejection) answer, actions);
      case HOST_REMOVED -> actions.removeOn(((Event.HostRemoved) event).host());
      case RECONCILED -> onHostsGone((Reconciliation) answer, actions);
      case CANCELLED -> of(Stream.of((InstanceReport) answer), actions);
      case BAG_CANCELLED -> of(((BagReport) answer).cancelled().stream(), actions);
      case GROUP_CANCELLED ->
          of(((List<?>) answer).stream().map(InstanceReport.class::cast), actions);
      case HOST_ADDED, HOST_CHANGED, FOREIGN_LOAD_REPORTED, ADOPTED -> List.of();
      default -> throw new AssertionError(event.kind() + " may end actions");
    };
  }

  private static List<OpenAction> undone(Rejection rejection, ActionQueue actions) {
    List<OpenAction> removed = new ArrayList<>();
    for (Rejection.Undone each : rejection.undone()) {
      OpenAction open = actions.remove(each.id());
      removed.add(open != null ? open : OpenAction.carriedOut(each.id(), each.action()));
    }
    return removed;
  }

  private static List<OpenAction> onHostsGone(Reconciliation found, ActionQueue actions) {
    actions.compared();
    List<OpenAction> removed = new ArrayList<>();
    for (Difference each : found.differences()) {
      if (each instanceof Difference.HostGone gone) {
        removed.addAll(actions.removeOn(gone.host()));
      }
    }
    return removed;
  }

  private static List<OpenAction> of(Stream<InstanceReport> cancelled, ActionQueue actions) {
    return cancelled.flatMap(each -> actions.removeOf(each.id()).stream()).toList();
  }

  /** Returns whether an event says that hosts have left, so that what was begun there is gone. */
  static boolean removesHosts(Event<?> event) {
    return event instanceof Event.HostRemoved || event instanceof Event.Reconciled;
  }

  static String describe(Plan plan) {
    return plan.actions().isEmpty()
        ? "empty"
        : plan.actions().stream().limit(5).map(Action::describe).collect(Collectors.joining(", "))
            + (plan.actions().size() > 5 ? ", …" : "");
  }
}
