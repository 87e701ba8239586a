package dev.berth.core.internal.cluster;

import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.EndedInstances.Ended;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The instances that are to start after others, by the ids of those that have not completed. While
 * it waits for them, such an instance is pending, but in no queue of a pipeline.
 */
public final class Dependents {

  private static final UndoLog.Step NOTHING = () -> {};

  private final Cluster cluster;
  private final Map<String, Set<InstanceRecord>> waiting = new HashMap<>(); // only looked up

  /** An instance before one that it waits for completes. */
  private record Wait(InstanceRecord instance, List<String> others, SavedInstance former) {

    static Wait of(InstanceRecord instance) {
      return new Wait(instance, instance.waitsFor(), new SavedInstance().note(instance));
    }

    boolean isOver() {
      return former.heldBack() && instance.waitsFor().isEmpty();
    }
  }

  Dependents(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Refuses a request that could never start, or that waits for something unknown. */
  public void require(Request request) {
    for (String other : request.after()) {
      Ended ended = cluster.ended().get(other);
      if (isPresent(other)) {
        if (waiting.containsKey(request.id()) && reaches(other, request.id())) {
          throw Code.INVALID_VALUE.refusal(
              "request %s is to start after %s, which waits for it to complete.",
              request.id(), other);
        }
      } else if (ended == null) {
        throw Code.UNKNOWN_INSTANCE.refusal(
            "request %s is to start after %s, but there is no such instance, nor is it among the last %s that ended. Maybe submit that one first, or leave it out if it has completed.",
            request.id(), other, EndedInstances.MOST);
      } else if (ended.cancelled()) {
        throw Code.WRONG_STATE.refusal(
            "request %s is to start after %s, but that one was cancelled. Maybe submit that one again first.",
            request.id(), other);
      }
    }
  }

  private boolean isPresent(String id) {
    InstanceRecord instance = cluster.instanceRecord(id);
    return instance != null && instance.state() != InstanceState.DONE;
  }

  /** Returns whether an instance is another one, or waits for it by way of whatever others. */
  private boolean reaches(String from, String to) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      String id = open.remove();
      InstanceRecord instance = cluster.instanceRecord(id);
      if (id.equals(to)) {
        return true;
      }
      if (instance != null && seen.add(id)) {
        open.addAll(instance.waitsFor());
      }
    }
    return false;
  }

  /** A new instance waits for those that it is to start after and that are present. */
  public void connect(InstanceRecord instance) {
    if (!instance.request.after().isEmpty()) {
      connect(instance, instance.request.after().stream().filter(this::isPresent).toList());
    }
  }

  /** An instance, which is in no queue yet, waits for others. */
  public void connect(InstanceRecord instance, List<String> others) {
    instance.waitsFor(others);
    others.forEach(
        each -> waiting.computeIfAbsent(each, id -> new LinkedHashSet<>()).add(instance));
  }

  /** An instance waits for others no more: it is done, or on a host although it should wait. */
  public void disconnect(InstanceRecord instance) {
    for (String each : instance.waitsFor()) {
      waiting.computeIfPresent(
          each, (id, all) -> all.remove(instance) && all.isEmpty() ? null : all);
    }
    instance.waitsFor(List.of());
  }

  /** Follows an instance that is pending now. Returns whether it waits for others. */
  public boolean holds(InstanceRecord instance) {
    boolean waits = !instance.waitsFor().isEmpty();
    if (waits) {
      instance.heldBack(true);
    }
    return waits;
  }

  /**
   * An instance completes: those that waited for it alone are runnable since now. If a part of the
   * policy throws, nothing has changed.
   *
   * @return how to undo that
   */
  public UndoLog.Step completed(String id, long time) {
    Set<InstanceRecord> dependents = waiting.get(id);
    if (dependents == null) {
      return NOTHING;
    }
    List<Wait> waits = new ArrayList<>(dependents.size());
    cluster.beginChange();
    try {
      for (InstanceRecord each : dependents) {
        Wait wait = Wait.of(each);
        waits.add(wait);
        if (each.heldBack() && each.waitsFor().size() == 1) {
          cluster.countPending(each, -1);
          each.isRunnable(time);
          cluster.countPending(each, 1);
        }
        each.waitsFor(each.waitsFor().stream().filter(other -> !other.equals(id)).toList());
        if (wait.isOver()) {
          cluster.follower().rekey(each);
        }
      }
    } catch (Throwable failure) {
      waits.forEach(this::restore);
      cluster.revertChange();
      throw failure;
    }
    cluster.setNow(time);
    cluster.orderChanged();
    waiting.remove(id);
    for (Wait each : waits) {
      cluster.changed(each.instance);
      if (each.isOver()) {
        each.instance.heldBack(false);
        each.instance.takeKeys();
        cluster.follower().isPending(each.instance);
      }
    }
    cluster.endChange();
    return () -> {
      waiting.put(id, dependents);
      for (Wait each : waits) {
        cluster.changed(each.instance);
        if (each.isOver()) {
          cluster.follower().leavesQueue(each.instance);
          each.instance.heldBack(true);
          restore(each);
          each.instance.takeKeys();
        } else {
          each.instance.waitsFor(each.others);
        }
      }
      cluster.orderChanged();
    };
  }

  private void restore(Wait wait) {
    cluster.countPending(wait.instance, -1);
    wait.instance.restore(wait.former);
    wait.instance.waitsFor(wait.others);
    cluster.countPending(wait.instance, 1);
  }

  /** Returns what a pending instance waits for, as a reason. It waits for something. */
  public Reason.WaitsFor why(InstanceRecord instance) {
    List<String> others = instance.waitsFor();
    return new Reason.WaitsFor(
        others, others.stream().filter(each -> !isPresent(each)).findFirst());
  }
}
