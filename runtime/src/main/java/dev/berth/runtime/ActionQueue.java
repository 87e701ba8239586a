package dev.berth.runtime;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.runtime.OpenActions.Stop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
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
    int attempts; // begun so far in this run
    boolean isOfEarlierRun; // which may have begun it
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

    /** Returns an action that is no longer in the queue: the fleet has carried it out. */
    static OpenAction carriedOut(ActionId id, Action action) {
      OpenAction done = new OpenAction(id, action);
      done.isOfEarlierRun = true;
      return done;
    }

    /** Returns whether the fleet may have begun it. */
    boolean mayHaveBegun() {
      return attempts > 0 || isOfEarlierRun;
    }

    /** Returns whether it waits for its next attempt. */
    private boolean isDelayed(long now) {
      return !isUnderWay && attempts > 0 && dueAt > now;
    }
  }

  private static final Comparator<ActionId> ORDER =
      Comparator.comparingLong(ActionId::pass).thenComparingInt(ActionId::index);

  private final int mostOnHost;
  private final Map<ActionId, OpenAction> open = new LinkedHashMap<>();
  private final Map<String, ArrayDeque<OpenAction>> byHost = new HashMap<>();
  private final Map<String, ArrayDeque<OpenAction>> byInstance = new HashMap<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.comparingLong(Timer::at).thenComparing(each -> each.of().id, ORDER));
  private final Map<ActionId, OpenAction> touched = new LinkedHashMap<>(); // may be ready now
  private final Map<String, List<OpenAction>> unconfirmed = new HashMap<>(); // starts, by instance
  private final Set<String> outOfReach = new TreeSet<>(); // hosts
  private final OpenStops stops = new OpenStops(outOfReach);
  private int underWay;
  private long finalPass; // the actions of this pass and those before cannot be undone

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

  /**
   * Removes an action that was carried out or given up. Until a report or a comparison says where
   * its instance is, a start may be needed to stop it.
   */
  void settled(ActionId id) {
    OpenAction settled = remove(id);
    if (settled != null && settled.action instanceof Action.Starts start) {
      unconfirmed
          .computeIfAbsent(start.instance(), each -> new ArrayList<>())
          .add(OpenAction.carriedOut(id, settled.action));
    }
  }

  /** Returns the instances to stop for good. */
  OpenStops stops() {
    return stops;
  }

  /** Ends a stop that has succeeded, or is given up. */
  void stopped(Stop stop) {
    stops.remove(stop);
    touchLane(byHost.get(stop.host()));
  }

  /** Notes that a comparison has said where all instances are. */
  void compared() {
    unconfirmed.clear();
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
    candidates.sort(Comparator.comparing((OpenAction each) -> each.id, ORDER));
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

  /** Returns whether an action can do nothing before its host can be reached again. */
  private boolean waitsForHost(OpenAction action) {
    return action.action instanceof Action.Resize
        && !Collections.disjoint(outOfReach, action.hosts);
  }

  private boolean isBlocked(OpenAction action) {
    if (waitsForHost(action)) {
      return true;
    }
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
      if (startsOn(each, action) && (stops.isOn(each) || hasRoomToCome(lane, each, action))) {
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
      if (givesRoom(each, host)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an action of a host may give room there. */
  private static boolean givesRoom(OpenAction action, String host) {
    return !(action.action instanceof Action.Starts)
        || (action.action instanceof Action.Migrate migration && migration.from().equals(host));
  }

  /**
   * Returns the starts on a host that this run has not begun, and that come before an action which
   * gives room there.
   */
  List<OpenAction> startsBeforeRoom(String host) {
    List<OpenAction> starts = new ArrayList<>();
    List<OpenAction> before = new ArrayList<>();
    for (OpenAction each : byHost.getOrDefault(host, new ArrayDeque<>())) {
      if (givesRoom(each, host)) {
        starts.addAll(before);
        before.clear();
      } else if (startsOn(host, each) && each.attempts == 0) {
        before.add(each);
      }
    }
    return starts;
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

  /**
   * Returns the open actions that this run has not begun and that come after an action on its hosts
   * or instances, or after one of these.
   */
  List<OpenAction> notBegunAfter(OpenAction first) {
    Set<String> hosts = new HashSet<>(first.hosts);
    Set<String> instances = new HashSet<>(first.instances);
    List<OpenAction> later = new ArrayList<>();
    for (OpenAction each : open.values()) {
      if (ORDER.compare(first.id, each.id) < 0
          && each.attempts == 0
          && !(Collections.disjoint(hosts, each.hosts)
              && Collections.disjoint(instances, each.instances))) {
        later.add(each);
        hosts.addAll(each.hosts);
        instances.addAll(each.instances);
      }
    }
    return later;
  }

  /** Returns the earliest open action on an instance; null if there is none. */
  @Nullable OpenAction firstOf(String instance) {
    ArrayDeque<OpenAction> lane = byInstance.get(instance);
    return lane == null ? null : lane.peekFirst();
  }

  /**
   * Returns the actions of an earlier run that are over: those on instances that the fleet is not
   * about, and those that waited for one of them. If the fleet is about such an instance, it is
   * because of an action that the scheduler has undone since.
   *
   * @param busy ids of the instances that the fleet is about
   */
  List<OpenAction> over(Set<String> busy) {
    Set<String> hosts = new HashSet<>(); // where they were to give room
    Set<String> instances = new HashSet<>();
    List<OpenAction> over = new ArrayList<>();
    for (OpenAction each : open.values()) {
      if (each.instances.isEmpty() || each.action instanceof Action.Resize) {
        continue; // an observation has neither hosts that were requested nor grants
      }
      boolean waited =
          !Collections.disjoint(instances, each.instances)
              || each.hosts.stream().anyMatch(it -> hosts.contains(it) && startsOn(it, each));
      if (waited || each.instances.stream().noneMatch(busy::contains)) {
        over.add(each);
        instances.addAll(each.instances);
        each.hosts.stream().filter(it -> givesRoom(each, it)).forEach(hosts::add);
      }
    }
    return over;
  }

  /** Returns the latest open action on an instance; null if there is none. */
  @Nullable OpenAction lastOf(String instance) {
    ArrayDeque<OpenAction> lane = byInstance.get(instance);
    return lane == null ? null : lane.peekLast();
  }

  /** Returns the open actions after one on the same instance, the latest first. */
  List<OpenAction> laterOf(OpenAction action) {
    List<OpenAction> later = new ArrayList<>();
    for (String each : action.instances) {
      for (OpenAction other : byInstance.getOrDefault(each, new ArrayDeque<>())) {
        if (ORDER.compare(action.id, other.id) < 0) {
          later.add(0, other);
        }
      }
    }
    return later;
  }

  /** Removes the open action that begins an attempt of an instance, if there is one. */
  void removeStart(String instance, OptionalInt attempt) {
    for (OpenAction each : List.copyOf(byInstance.getOrDefault(instance, new ArrayDeque<>()))) {
      if (each.action instanceof Action.Starts start
          && (attempt.isEmpty() || attempt.getAsInt() == start.attempt())) {
        remove(each.id);
      }
    }
    List<OpenAction> earlier = unconfirmed.getOrDefault(instance, new ArrayList<>());
    earlier.removeIf(
        each -> attempt.isEmpty() || ((Action.Starts) each.action).attempt() <= attempt.getAsInt());
    if (earlier.isEmpty()) {
      unconfirmed.remove(instance);
    }
  }

  /**
   * Removes the open actions on an instance, and returns them; before them its starts that nothing
   * has confirmed.
   */
  List<OpenAction> removeOf(String instance) {
    List<OpenAction> removed =
        new ArrayList<>(byInstance.getOrDefault(instance, new ArrayDeque<>()));
    removed.forEach(each -> remove(each.id));
    List<OpenAction> earlier = unconfirmed.remove(instance);
    if (earlier != null) {
      removed.addAll(0, earlier);
    }
    return removed;
  }

  /**
   * Removes the open actions on a host that has left, and returns them. Those that move an instance
   * away from it stay, since the fleet knows what became of the instance.
   */
  List<OpenAction> removeOn(String host) {
    List<OpenAction> removed =
        byHost.getOrDefault(host, new ArrayDeque<>()).stream()
            .filter(each -> host(each.action).equals(Optional.of(host)))
            .toList();
    removed.forEach(each -> remove(each.id));
    stops.removeOn(host);
    outOfReach.remove(host);
    return removed;
  }

  // ---- Hosts that cannot be reached

  /** Notes whether a host can be reached; returns whether it could not be before. */
  boolean reach(String host, boolean canBeReached) {
    if (!canBeReached) {
      outOfReach.add(host);
      return false;
    }
    boolean isBack = outOfReach.remove(host);
    if (isBack) {
      touchLane(byHost.get(host));
    }
    return isBack;
  }

  /** Returns the hosts that cannot be reached. */
  List<String> outOfReach() {
    return List.copyOf(outOfReach);
  }

  /** Returns the open actions on a host, and those that move an instance away from it, in order. */
  List<OpenAction> on(String host) {
    return List.copyOf(byHost.getOrDefault(host, new ArrayDeque<>()));
  }

  /** Has a resize wait until its host can be reached again. */
  void waitForHost(OpenAction resize) {
    ended(resize);
    resize.dueAt = Long.MIN_VALUE;
  }

  /** Returns whether nothing is left to do, apart from what waits for hosts. */
  boolean isIdle() {
    return open.values().stream().allMatch(this::waitsForHost) && stops.isIdle();
  }

  /** Returns the open actions in order. */
  List<OpenAction> all() {
    return List.copyOf(open.values());
  }

  /** Returns the ids of the instances whose place or state an open action may change. */
  Set<String> instances() {
    Set<String> instances = new HashSet<>();
    for (OpenAction each : open.values()) {
      if (!(each.action instanceof Action.Resize)) {
        instances.addAll(each.instances);
      }
    }
    return instances;
  }

  /** Notes that the actions of an earlier run may have begun. */
  void endRun() {
    open.values().forEach(each -> each.isOfEarlierRun = true);
  }

  /**
   * Notes that the scheduler was saved after a pass. A scheduler that is restored takes the actions
   * of that pass and those before as carried out.
   */
  void savedAfter(long pass) {
    finalPass = pass;
  }

  /** Returns whether the scheduler can undo an action, however often it was saved and restored. */
  boolean canBeUndone(ActionId id) {
    return id.pass() > finalPass;
  }

  int size() {
    return open.size();
  }

  int underWay() {
    return underWay;
  }
}
