package dev.berth.runtime;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The actions that the fleet has not carried out yet, in the order of their plans. An action waits
 * for earlier ones on the same instance. One that starts an instance on a host also waits for the
 * earlier ones that give room there, and for a free place among those under way on the host.
 *
 * <p>Cost of a change: O(open actions on the hosts and instances that it concerns).
 */
final class ActionQueue {

  /** An action that is not carried out. */
  static final class OpenAction {
    final ActionId id;
    final Action action;
    final Set<String> hosts = new TreeSet<>();
    final List<String> instances;
    int attempts; // begun so far
    boolean isUnderWay; // the latest attempt has not ended
    long dueAt = Long.MAX_VALUE; // when that attempt takes too long, or the next one begins

    private OpenAction(ActionId id, Action action) {
      this.id = id;
      this.action = action;
      host(action).ifPresent(hosts::add);
      if (action instanceof Action.Migrate migration) {
        hosts.add(migration.from());
      }
      instances =
          action instanceof Action.OnInstance on
              ? List.of(on.instance())
              : action instanceof Action.Cancel cancelled ? cancelled.instances() : List.of();
    }

    /** Returns whether it waits for its next attempt. */
    private boolean isDelayed(long now) {
      return !isUnderWay && attempts > 0 && dueAt > now;
    }
  }

  private final int mostOnHost;
  private final Map<ActionId, OpenAction> open = new LinkedHashMap<>();
  private final Map<String, ArrayDeque<OpenAction>> byHost = new HashMap<>();
  private final Map<String, ArrayDeque<OpenAction>> byInstance = new HashMap<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.comparingLong(Timer::at)
              .thenComparing(each -> each.of().id.pass())
              .thenComparing(each -> each.of().id.index()));
  private final Map<ActionId, OpenAction> touched = new LinkedHashMap<>(); // may be ready now
  private int underWay;

  /** A time at which an action needs attention, unless the action has another one by then. */
  private record Timer(long at, OpenAction of) {}

  ActionQueue(int mostOnHost) {
    this.mostOnHost = mostOnHost;
  }

  private static Optional<String> host(Action action) {
    if (action instanceof Action.Release release) {
      return Optional.of(release.host());
    }
    return action instanceof Action.OnHost on && !(action instanceof Action.Reject)
        ? Optional.of(on.host())
        : Optional.empty();
  }

  void add(ActionId id, Action action) {
    OpenAction added = new OpenAction(id, action);
    open.put(id, added);
    added.hosts.forEach(each -> byHost.computeIfAbsent(each, it -> new ArrayDeque<>()).add(added));
    added.instances.forEach(
        each -> byInstance.computeIfAbsent(each, it -> new ArrayDeque<>()).add(added));
    touched.put(id, added);
  }

  @Nullable OpenAction get(ActionId id) {
    return open.get(id);
  }

  /** Removes an action, which was carried out or need not be. Returns null if it is not open. */
  @Nullable OpenAction remove(ActionId id) {
    OpenAction removed = open.remove(id);
    if (removed == null) {
      return null;
    }
    touched.remove(id);
    ended(removed);
    removed.hosts.forEach(each -> removeFrom(byHost, each, removed));
    removed.instances.forEach(each -> removeFrom(byInstance, each, removed));
    return removed;
  }

  private void removeFrom(Map<String, ArrayDeque<OpenAction>> lanes, String key, OpenAction each) {
    ArrayDeque<OpenAction> lane = lanes.get(key);
    if (lane != null) {
      lane.remove(each);
      if (lane.isEmpty()) {
        lanes.remove(key);
      }
      lane.forEach(it -> touched.put(it.id, it));
    }
  }

  private void ended(OpenAction action) {
    if (action.isUnderWay) {
      action.isUnderWay = false;
      underWay--;
    }
    action.dueAt = Long.MAX_VALUE;
  }

  /** Notes that an attempt failed; the next one begins later. */
  void retryAt(OpenAction action, long at) {
    ended(action);
    action.dueAt = at;
    timers.add(new Timer(at, action));
    action.hosts.forEach(each -> touchLane(byHost.get(each))); // a place is free
  }

  private void touchLane(@Nullable ArrayDeque<OpenAction> lane) {
    if (lane != null) {
      lane.forEach(each -> touched.put(each.id, each));
    }
  }

  /** Begins the attempts of all actions that are ready, in order, and returns these. */
  List<OpenAction> begin(long now, long timeout) {
    List<OpenAction> ready = new ArrayList<>();
    List<OpenAction> candidates = new ArrayList<>(touched.values());
    touched.clear();
    candidates.sort(
        Comparator.comparingLong((OpenAction each) -> each.id.pass())
            .thenComparingInt(each -> each.id.index()));
    for (OpenAction each : candidates) {
      if (!each.isUnderWay && !each.isDelayed(now) && !isBlocked(each)) {
        each.isUnderWay = true;
        each.attempts++;
        underWay++;
        each.dueAt = now > Long.MAX_VALUE - timeout ? Long.MAX_VALUE : now + timeout;
        timers.add(new Timer(each.dueAt, each));
        ready.add(each);
      }
    }
    return ready;
  }

  private boolean isBlocked(OpenAction action) {
    for (String each : action.instances) {
      if (lane(byInstance, each).peekFirst() != action) {
        return true;
      }
    }
    for (String each : action.hosts) {
      ArrayDeque<OpenAction> lane = lane(byHost, each);
      long active = lane.stream().filter(it -> it.isUnderWay).count();
      if (active >= mostOnHost) {
        return true;
      }
      if (startsOn(each, action) && hasRoomToCome(lane, each, action)) {
        return true;
      }
    }
    return false;
  }

  private static ArrayDeque<OpenAction> lane(
      Map<String, ArrayDeque<OpenAction>> lanes, String key) {
    return Objects.requireNonNull(lanes.get(key), "an open action is in all its lanes");
  }

  private static boolean startsOn(String host, OpenAction action) {
    return (action.action instanceof Action.Starts || action.action instanceof Action.Resize)
        && host(action.action).equals(Optional.of(host));
  }

  /** Returns whether an earlier action is still to give room on a host. */
  private static boolean hasRoomToCome(
      ArrayDeque<OpenAction> lane, String host, OpenAction before) {
    for (OpenAction each : lane) {
      if (each == before) {
        return false;
      }
      boolean leaves =
          each.action instanceof Action.Migrate migration && migration.from().equals(host);
      if (leaves || !(each.action instanceof Action.Starts)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the actions whose attempt takes too long by now, in order of time. */
  List<OpenAction> overdue(long now) {
    List<OpenAction> late = new ArrayList<>();
    for (Timer next = timers.peek(); next != null && next.at() <= now; next = timers.peek()) {
      timers.remove();
      OpenAction action = next.of();
      if (open.get(action.id) == action && action.dueAt == next.at()) {
        if (action.isUnderWay) {
          late.add(action);
        } else {
          touched.put(action.id, action);
        }
      }
    }
    return late;
  }

  /** Returns when an action needs attention next, or {@link Long#MAX_VALUE}. */
  long nextTimer() {
    for (Timer next = timers.peek(); next != null; next = timers.peek()) {
      if (open.get(next.of().id) == next.of() && next.of().dueAt == next.at()) {
        return next.at();
      }
      timers.remove();
    }
    return Long.MAX_VALUE;
  }

  /** Removes all open actions that a condition holds for, and returns them. */
  List<OpenAction> removeIf(Predicate<OpenAction> condition) {
    List<OpenAction> removed = open.values().stream().filter(condition).toList();
    removed.forEach(each -> remove(each.id));
    return removed;
  }

  /** Removes the open actions on an instance, and returns them. */
  List<OpenAction> removeOf(String instance) {
    List<OpenAction> removed = List.copyOf(byInstance.getOrDefault(instance, new ArrayDeque<>()));
    removed.forEach(each -> remove(each.id));
    return removed;
  }

  /** Removes the open actions that concern a host, and returns them. */
  List<OpenAction> removeOn(String host) {
    List<OpenAction> removed = List.copyOf(byHost.getOrDefault(host, new ArrayDeque<>()));
    removed.forEach(each -> remove(each.id));
    return removed;
  }

  /** Returns the open actions in order. */
  List<OpenAction> all() {
    return List.copyOf(open.values());
  }

  /** Returns the ids of the instances with open actions. */
  Set<String> instances() {
    return byInstance.keySet();
  }

  int size() {
    return open.size();
  }

  int underWay() {
    return underWay;
  }
}
