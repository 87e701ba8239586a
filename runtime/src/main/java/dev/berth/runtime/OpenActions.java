package dev.berth.runtime;

import dev.berth.api.Action;
import dev.berth.api.Attempt;
import dev.berth.api.BagReport;
import dev.berth.api.Difference;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.runtime.ActionQueue.OpenAction;
import dev.berth.runtime.input.Input;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How plans and inputs change which actions are open: the same in the loop and in a replay. */
final class OpenActions {

  private OpenActions() {}

  /** An instance that the fleet is to stop. */
  record Stop(String instance, String host) {}

  /** Returns the instances that the fleet is to stop if a scheduler accepts an input. */
  static List<Stop> stops(Input<?> input, Scheduler scheduler) {
    if (input instanceof Input.Cancel cancelled) {
      return scheduler.instance(cancelled.instance()).stream().flatMap(OpenActions::stop).toList();
    }
    if (input instanceof Input.CancelBag bag) {
      return scheduler.bag(bag.bag()).stream()
          .flatMap(each -> each.instances().stream())
          .flatMap(OpenActions::stop)
          .toList();
    }
    if (input instanceof Input.CancelGroup group) {
      return scheduler.instances().stream()
          .filter(each -> each.group().equals(Optional.of(group.group())))
          .flatMap(OpenActions::stop)
          .toList();
    }
    return List.of();
  }

  /**
   * Adds the hosts between which removed actions were to move cancelled instances: these may be on
   * either.
   */
  static Set<Stop> withHostsOf(List<OpenAction> removed, Input<?> input, List<Stop> stops) {
    Set<Stop> all = new LinkedHashSet<>(stops);
    if (input instanceof Input.Cancel
        || input instanceof Input.CancelBag
        || input instanceof Input.CancelGroup) {
      for (OpenAction each : removed) {
        for (String instance : each.instances) {
          each.hosts.forEach(host -> all.add(new Stop(instance, host)));
        }
      }
    }
    return all;
  }

  private static Stream<Stop> stop(Instance instance) {
    return instance.host().map(host -> new Stop(instance.id(), host.id())).stream();
  }

  /** Adds the actions of a plan. */
  static void add(Plan plan, ActionQueue actions) {
    for (int i = 0; i < plan.actions().size(); i++) {
      actions.add(plan.id(i), plan.actions().get(i));
    }
  }

  /**
   * Removes the actions that an input makes needless, and returns them: those that were undone,
   * also if they were carried out, those on a host that has left, and those on cancelled instances.
   *
   * @param result the result of the input
   */
  static List<OpenAction> after(Input<?> input, Object result, ActionQueue actions) {
    reported(input, actions);
    List<OpenAction> removed = new ArrayList<>();
    if (result instanceof Rejection rejection) {
      for (Rejection.Undone each : rejection.undone()) {
        OpenAction open = actions.remove(each.id());
        removed.add(open != null ? open : OpenAction.carriedOut(each.id(), each.action()));
      }
    } else if (input instanceof Input.RemoveHost gone) {
      removed.addAll(actions.removeOn(gone.host()));
    } else if (result instanceof Reconciliation found) {
      actions.compared();
      for (Difference each : found.differences()) {
        if (each instanceof Difference.HostGone gone) {
          removed.addAll(actions.removeOn(gone.host()));
        }
      }
    } else if (input instanceof Input.Cancel cancelled) {
      removed.addAll(actions.removeOf(cancelled.instance()));
    } else if (result instanceof BagReport bag) {
      bag.cancelled().forEach(each -> removed.addAll(actions.removeOf(each.id())));
    } else if (result instanceof List<?> reports) {
      for (Object each : reports) {
        if (each instanceof InstanceReport report) {
          removed.addAll(actions.removeOf(report.id()));
        }
      }
    }
    return removed;
  }

  /** Removes the action that a report about an instance says was carried out. */
  private static void reported(Input<?> input, ActionQueue actions) {
    if (input instanceof Input.Started started) {
      removeStart(started.attempt(), actions);
    } else if (input instanceof Input.Failed failed) {
      removeStart(failed.attempt(), actions);
    } else if (input instanceof Input.Completed completed) {
      removeStart(completed.attempt(), actions);
    } else if (input instanceof Input.StartedNow started) {
      actions.removeStart(started.instance(), OptionalInt.empty());
    } else if (input instanceof Input.FailedNow failed) {
      actions.removeStart(failed.instance(), OptionalInt.empty());
    } else if (input instanceof Input.CompletedNow completed) {
      actions.removeStart(completed.instance(), OptionalInt.empty());
    }
  }

  private static void removeStart(Attempt attempt, ActionQueue actions) {
    actions.removeStart(attempt.instance(), OptionalInt.of(attempt.number()));
  }

  /** Returns whether an input says that hosts have left, so that what was begun there is gone. */
  static boolean removesHosts(Input<?> input) {
    return input instanceof Input.RemoveHost || input instanceof Input.Reconcile;
  }

  static String describe(Plan plan) {
    return plan.actions().isEmpty()
        ? "empty"
        : plan.actions().stream().limit(5).map(Action::describe).collect(Collectors.joining(", "))
            + (plan.actions().size() > 5 ? ", …" : "");
  }
}
