package dev.berth.kubernetes.binding;

import dev.berth.api.Request;
import dev.berth.kubernetes.meaning.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which pod is which instance of the scheduler. An instance outlives its pods: after a preemption,
 * the next pod of the same place in the same owner continues it.
 *
 * <p>Safe for use by several threads; each method is one step.
 */
final class InstanceBook {

  private final Map<String, Entry> byInstance = new LinkedHashMap<>();
  private final Map<String, Entry> byPod = new HashMap<>(); // by UID
  private final Set<String> leaving = new HashSet<>(); // UIDs of pods that are preempted

  /** Where an instance is, as far as the scheduler was informed. */
  enum Where {
    /** The scheduler has it pending, or starts it. */
    PENDING,
    /** Its pod is bound, and the scheduler counts it on the host. */
    BOUND,
    /** Its pod is being deleted because the scheduler preempts or evicts it. */
    LEAVING
  }

  /** An instance. Guarded by the book. */
  static final class Entry {
    final String instance;
    final Request request;
    final Optional<Owner> owner;
    private @Nullable PodRef pod;
    private Where where = Where.PENDING;
    private @Nullable String host;
    private boolean isStarted;
    private boolean isCounted;
    private int attempt;
    private long withoutPodSince;
    private final List<CompletableFuture<Void>> awaitingEnd = new ArrayList<>();
    private final List<CompletableFuture<PodRef>> awaitingPod = new ArrayList<>();

    private Entry(String instance, Request request, Optional<Owner> owner) {
      this.instance = instance;
      this.request = request;
      this.owner = owner;
    }
  }

  /**
   * What the book knows of an instance at a moment.
   *
   * @param instance its id
   * @param request its request
   * @param owner the place that it has in an owner; empty for a pod without a controller
   * @param pod its present pod; null between a preemption and the next pod
   * @param where where it is
   * @param host the host that it is on
   * @param attempt the attempt that it is in; 0 if unknown
   */
  record View(
      String instance,
      Request request,
      Optional<Owner> owner,
      @Nullable PodRef pod,
      Where where,
      @Nullable String host,
      int attempt) {}

  /** Enters a pod as a new instance. */
  synchronized void enter(String instance, PodRef pod, Request request, Optional<Owner> owner) {
    Entry entry = new Entry(instance, request, owner);
    entry.pod = pod;
    byInstance.put(instance, entry);
    byPod.put(pod.uid(), entry);
  }

  /**
   * Has a pod continue the instance of its owner that is without a pod for longest, and returns it;
   * empty if there is none that asks for the same.
   *
   * @param isEnding whether a pod is being deleted, or gone
   */
  synchronized Optional<View> continueWith(
      PodRef pod, Owner owner, Request request, Predicate<PodRef> isEnding) {
    Entry longest = null;
    for (Entry each : byInstance.values()) {
      // Between its deletion and its end, the next pod of a ReplicaSet is already there.
      boolean isFree = each.pod == null || (each.where == Where.LEAVING && isEnding.test(each.pod));
      if (isFree
          && each.owner.filter(owner::equals).isPresent()
          && each.request.demand().equals(request.demand())
          && each.request.serviceClass().equals(request.serviceClass())
          && (longest == null || each.withoutPodSince < longest.withoutPodSince)) {
        longest = each;
      }
    }
    if (longest == null) {
      return Optional.empty();
    }
    attach(longest, pod);
    return Optional.of(view(longest));
  }

  private void attach(Entry entry, PodRef pod) {
    entry.pod = pod;
    entry.where = Where.PENDING;
    entry.host = null;
    entry.isStarted = false;
    byPod.put(pod.uid(), entry);
    entry.awaitingPod.forEach(each -> each.complete(pod));
    entry.awaitingPod.clear();
  }

  synchronized Optional<View> ofPod(String uid) {
    return Optional.ofNullable(byPod.get(uid)).map(InstanceBook::view);
  }

  synchronized Optional<View> ofInstance(String instance) {
    return Optional.ofNullable(byInstance.get(instance)).map(InstanceBook::view);
  }

  synchronized List<View> all() {
    Collection<Entry> entries = byInstance.values();
    return entries.stream().map(InstanceBook::view).toList();
  }

  private static View view(Entry entry) {
    return new View(
        entry.instance,
        entry.request,
        entry.owner,
        entry.pod,
        entry.where,
        entry.host,
        entry.attempt);
  }

  /**
   * Returns whether the scheduler counts a pod on its host itself. What other pods hold is taken
   * off the host.
   */
  synchronized boolean isCounted(String uid) {
    Entry entry = byPod.get(uid);
    return leaving.contains(uid)
        || (entry != null
            && entry.pod != null
            && entry.pod.uid().equals(uid)
            && entry.where == Where.BOUND
            && entry.isCounted);
  }

  /** Returns the pod of an instance once it has one; fails if the instance is forgotten. */
  synchronized CompletableFuture<PodRef> podOf(String instance) {
    Entry entry = byInstance.get(instance);
    CompletableFuture<PodRef> answer = new CompletableFuture<>();
    if (entry == null) {
      answer.completeExceptionally(new GoneException(instance));
    } else if (entry.pod == null || entry.where == Where.LEAVING) {
      entry.awaitingPod.add(answer);
    } else {
      answer.complete(entry.pod);
    }
    return answer;
  }

  /** Notes that the pod of an instance is bound to a host, where the scheduler counts it. */
  synchronized void bound(String instance, PodRef pod, String host, int attempt) {
    place(instance, pod, host, attempt, true);
  }

  /**
   * Notes that the pod of an instance is bound to a host, without the scheduler knowing. What it
   * holds is taken off the host until {@link #counted}.
   */
  synchronized void foundOn(String instance, PodRef pod, String host) {
    place(instance, pod, host, 0, false);
  }

  private void place(String instance, PodRef pod, String host, int attempt, boolean isCounted) {
    Entry entry = byInstance.get(instance);
    if (entry != null && pod.equals(entry.pod)) {
      entry.where = Where.BOUND;
      entry.host = host;
      entry.attempt = attempt;
      entry.isCounted = isCounted;
    }
  }

  /** Returns the instances that are bound without the scheduler knowing. */
  synchronized List<View> uncounted() {
    return byInstance.values().stream()
        .filter(each -> each.where == Where.BOUND && !each.isCounted)
        .map(InstanceBook::view)
        .toList();
  }

  /** Notes that the scheduler has an instance on a host. */
  synchronized void counted(String instance, String host) {
    Entry entry = byInstance.get(instance);
    if (entry != null && entry.where == Where.BOUND && host.equals(entry.host)) {
      entry.isCounted = true;
    }
  }

  /** Notes that the start of a bound instance was reported; returns false if it was before. */
  synchronized boolean started(String instance) {
    Entry entry = byInstance.get(instance);
    if (entry == null || entry.isStarted) {
      return false;
    }
    entry.isStarted = true;
    return true;
  }

  /** Takes back that a start was reported: the scheduler has not accepted it. */
  synchronized void notStarted(String instance) {
    Entry entry = byInstance.get(instance);
    if (entry != null) {
      entry.isStarted = false;
    }
  }

  /**
   * Notes that an instance leaves its host, and returns when the pod has ended; already ended if it
   * has none.
   */
  synchronized CompletableFuture<Void> leaving(String instance, long now) {
    Entry entry = byInstance.get(instance);
    CompletableFuture<Void> answer = new CompletableFuture<>();
    if (entry == null || entry.pod == null || entry.where == Where.PENDING) {
      answer.complete(null);
    } else {
      if (entry.where == Where.BOUND) {
        entry.where = Where.LEAVING;
        entry.withoutPodSince = now;
        leaving.add(entry.pod.uid());
      }
      entry.awaitingEnd.add(answer);
    }
    return answer;
  }

  /** Notes that an instance stays on its host after all; its pod was not deleted. */
  synchronized void stays(String instance) {
    Entry entry = byInstance.get(instance);
    if (entry != null && entry.where == Where.LEAVING && entry.pod != null) {
      entry.where = Where.BOUND;
      leaving.remove(entry.pod.uid());
      entry.awaitingEnd.forEach(each -> each.cancel(false));
      entry.awaitingEnd.clear();
    }
  }

  /**
   * Notes that a pod has ended, and completes what waits for that.
   *
   * @return the instance, if it waits for its next pod now; empty if the pod was of no instance, or
   *     the next pod is there already
   */
  synchronized Optional<View> ended(String uid, long now) {
    Entry entry = byPod.remove(uid);
    leaving.remove(uid);
    if (entry == null) {
      return Optional.empty();
    }
    boolean isPresent = entry.pod == null || entry.pod.uid().equals(uid);
    if (isPresent) {
      if (entry.where != Where.LEAVING) {
        entry.withoutPodSince = now;
      }
      entry.pod = null;
      entry.where = Where.PENDING;
      entry.host = null;
      entry.isStarted = false;
    }
    entry.awaitingEnd.forEach(each -> each.complete(null));
    entry.awaitingEnd.clear();
    return isPresent ? Optional.of(view(entry)) : Optional.empty();
  }

  /**
   * Takes the present pod from an instance whose earlier pod is still leaving.
   *
   * @return false, and nothing changes, if no earlier pod is
   */
  synchronized boolean dropPod(String instance, long now) {
    Entry entry = byInstance.get(instance);
    if (entry == null || entry.pod == null || entry.where == Where.LEAVING) {
      return false;
    }
    boolean isLeaving =
        byPod.entrySet().stream()
            .anyMatch(each -> each.getValue() == entry && leaving.contains(each.getKey()));
    if (isLeaving) {
      byPod.remove(entry.pod.uid());
      entry.pod = null;
      entry.where = Where.PENDING;
      entry.withoutPodSince = now;
    }
    return isLeaving;
  }

  /** Forgets an instance, with its pod. */
  synchronized void forget(String instance) {
    Entry entry = byInstance.remove(instance);
    if (entry == null) {
      return;
    }
    byPod
        .entrySet()
        .removeIf(
            each -> {
              boolean isOf = each.getValue() == entry;
              if (isOf) {
                leaving.remove(each.getKey());
              }
              return isOf;
            });
    entry.awaitingEnd.forEach(each -> each.complete(null));
    entry.awaitingPod.forEach(each -> each.completeExceptionally(new GoneException(instance)));
  }

  /** Thrown if an instance has ended while something waits for its pod. */
  static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GoneException(String instance) {
      super("the pod of instance " + instance + " has ended, and no other pod continues it.");
    }
  }
}
