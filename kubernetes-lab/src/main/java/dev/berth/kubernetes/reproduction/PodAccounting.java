package dev.berth.kubernetes.reproduction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Service and preemptions of requests, from what the API server shows of their pods. It knows
 * nothing of the scheduler.
 *
 * <p>Times are milliseconds since 1970. The stamps of the API server have whole seconds, so an
 * event counts from when it was observed. An event that was observed late, as after a closed watch,
 * counts within the second of its stamp. No figure requires that every change of a pod is seen: the
 * last state before a change is enough. Only a pod that came and went while the watch was closed is
 * missed.
 *
 * <p>Safe for use by several threads.
 */
final class PodAccounting {

  private static final long SECOND = 1_000;
  private static final long NEVER = Long.MAX_VALUE;

  private final Map<String, RequestState> requests = new LinkedHashMap<>();
  private final Map<String, PodState> pods = new LinkedHashMap<>();
  private final Map<String, Set<String>> onNode = new HashMap<>();
  private int mostOnNode;
  private int boundTwice;

  private static final class RequestState {
    final String serviceClass;
    long admittedAt = NEVER;

    RequestState(String serviceClass) {
      this.serviceClass = serviceClass;
    }
  }

  private static final class PodState {
    final String request;
    @Nullable String node;
    long boundAt = NEVER;
    long readyAt = NEVER;
    long deletedAt = NEVER;
    long failedAt = NEVER;
    long goneAt = NEVER;

    PodState(String request) {
      this.request = request;
    }

    long servedUntil() {
      return Math.min(Math.min(deletedAt, failedAt), goneAt);
    }
  }

  /** Announces a request, whose pods are owned by an owner of its name. */
  synchronized void submitted(String request, String serviceClass) {
    requests.putIfAbsent(request, new RequestState(serviceClass));
  }

  /** Takes note of a pod. A pod of no known request is ignored. */
  synchronized void seen(PodSighting sighting, long at) {
    @Nullable RequestState request = requests.get(sighting.request());
    if (request == null) {
      return;
    }
    @Nullable PodState known = pods.get(sighting.uid());
    PodState pod = known == null ? new PodState(sighting.request()) : known;
    if (known == null) {
      pods.put(sighting.uid(), pod);
      request.admittedAt = Math.min(request.admittedAt, withinSecond(at, sighting.createdStamp()));
    }
    if (pod.goneAt != NEVER) {
      return; // a late event
    }
    if (sighting.node().isPresent()) {
      bound(sighting.uid(), pod, sighting.node().get(), at);
    }
    if (sighting.readyStamp().isPresent() && pod.readyAt == NEVER) {
      pod.readyAt = withinSecond(at, sighting.readyStamp());
    }
    if (sighting.deletedStamp().isPresent() && pod.deletedAt == NEVER) {
      pod.deletedAt = withinSecond(at, sighting.deletedStamp());
    }
    if (sighting.hasFailed() && pod.failedAt == NEVER) {
      pod.failedAt = at;
      leave(sighting.uid(), pod);
    }
  }

  private void bound(String uid, PodState pod, String node, long at) {
    if (pod.node == null) {
      pod.node = node;
      pod.boundAt = at;
      Set<String> there = onNode.computeIfAbsent(node, any -> new HashSet<>());
      there.add(uid);
      mostOnNode = Math.max(mostOnNode, there.size());
    } else if (!pod.node.equals(node)) {
      boundTwice++;
    }
  }

  private void leave(String uid, PodState pod) {
    if (pod.node != null) {
      onNode.getOrDefault(pod.node, new HashSet<>()).remove(uid);
    }
  }

  /**
   * Takes note that a pod is gone.
   *
   * @param last the last state of the pod that is known
   */
  synchronized void gone(PodSighting last, long at) {
    seen(last, at);
    @Nullable PodState pod = pods.get(last.uid());
    if (pod != null && pod.goneAt == NEVER) {
      pod.goneAt = at;
      if (pod.deletedAt == NEVER) {
        pod.deletedAt = at; // its deletion was not seen
      }
      leave(last.uid(), pod);
    }
  }

  /** Returns the time within the second of a stamp that is closest to the one given. */
  private static long withinSecond(long at, OptionalLong stamp) {
    if (stamp.isEmpty()) {
      return at;
    }
    long second = stamp.getAsLong() * SECOND;
    return Math.max(second, Math.min(at, second + SECOND));
  }

  /** Returns when the first pod of all was created; empty if none is known. */
  synchronized OptionalLong firstAdmission() {
    long first = requests.values().stream().mapToLong(each -> each.admittedAt).min().orElse(NEVER);
    return first == NEVER ? OptionalLong.empty() : OptionalLong.of(first);
  }

  /**
   * A request over its life.
   *
   * @param availability service / life; empty if the request had no life yet
   * @param pods number of its pods
   * @param preemptedRunning pods that were deleted after they had become ready
   * @param preemptedStarting pods that were deleted after they were bound, before they were ready
   * @param deletedWaiting pods that were deleted before they were bound
   * @param failed pods that failed or completed
   * @param isReady whether one of its pods is ready
   */
  record RequestFigures(
      String name,
      String serviceClass,
      double lifeSeconds,
      double serviceSeconds,
      OptionalDouble availability,
      int pods,
      int preemptedRunning,
      int preemptedStarting,
      int deletedWaiting,
      int failed,
      boolean isReady) {}

  /**
   * All requests until a time.
   *
   * @param requests those whose first pod was created by then, in order of submission
   * @param bound pods that were bound
   * @param boundTwice how often the node of a pod changed; the API server never allows it
   * @param mostOnNode the most pods that a node had at a time, terminating ones included
   * @param emptySeconds mean time from the deletion of a bound pod to the next binding on its node;
   *     empty without one
   */
  record Figures(
      List<RequestFigures> requests,
      int bound,
      int boundTwice,
      int mostOnNode,
      OptionalDouble emptySeconds) {

    int preemptedRunning() {
      return requests.stream().mapToInt(RequestFigures::preemptedRunning).sum();
    }

    int preemptedStarting() {
      return requests.stream().mapToInt(RequestFigures::preemptedStarting).sum();
    }

    int deletedWaiting() {
      return requests.stream().mapToInt(RequestFigures::deletedWaiting).sum();
    }

    int failed() {
      return requests.stream().mapToInt(RequestFigures::failed).sum();
    }

    long ready() {
      return requests.stream().filter(RequestFigures::isReady).count();
    }
  }

  /** Returns the figures until a time. What happened later does not count. */
  synchronized Figures until(long end) {
    Map<String, List<PodState>> byRequest = new HashMap<>();
    pods.values()
        .forEach(pod -> byRequest.computeIfAbsent(pod.request, any -> new ArrayList<>()).add(pod));
    List<RequestFigures> figures = new ArrayList<>();
    requests.forEach(
        (name, request) -> {
          if (request.admittedAt <= end) {
            figures.add(figures(name, request, byRequest.getOrDefault(name, List.of()), end));
          }
        });
    int bound = (int) pods.values().stream().filter(pod -> pod.boundAt <= end).count();
    return new Figures(figures, bound, boundTwice, mostOnNode, emptySeconds(end));
  }

  private static RequestFigures figures(
      String name, RequestState request, List<PodState> pods, long end) {
    long service = 0;
    int running = 0;
    int starting = 0;
    int waiting = 0;
    int failed = 0;
    boolean isReady = false;
    for (PodState pod : pods) {
      long until = Math.min(end, pod.servedUntil());
      service += Math.max(0, until - Math.min(until, pod.readyAt));
      isReady |= pod.readyAt <= end && pod.servedUntil() > end;
      if (pod.failedAt <= end) {
        failed++;
      } else if (pod.deletedAt <= end) {
        running += pod.readyAt < pod.deletedAt ? 1 : 0;
        starting += pod.readyAt >= pod.deletedAt && pod.boundAt < pod.deletedAt ? 1 : 0;
        waiting += pod.readyAt >= pod.deletedAt && pod.boundAt >= pod.deletedAt ? 1 : 0;
      }
    }
    long life = end - request.admittedAt;
    return new RequestFigures(
        name,
        request.serviceClass,
        life / 1e3,
        service / 1e3,
        life > 0 ? OptionalDouble.of((double) service / life) : OptionalDouble.empty(),
        pods.size(),
        running,
        starting,
        waiting,
        failed,
        isReady);
  }

  /** Matches each binding with the deletion on its node that waits the longest for one. */
  private OptionalDouble emptySeconds(long end) {
    Map<String, List<Long>> deletions = new HashMap<>();
    Map<String, List<Long>> bindings = new HashMap<>();
    for (PodState pod : pods.values()) {
      Optional<String> node = Optional.ofNullable(pod.node);
      if (node.isPresent() && pod.boundAt <= end) {
        bindings.computeIfAbsent(node.get(), any -> new ArrayList<>()).add(pod.boundAt);
        if (pod.deletedAt <= end) {
          deletions.computeIfAbsent(node.get(), any -> new ArrayList<>()).add(pod.deletedAt);
        }
      }
    }
    long total = 0;
    int count = 0;
    for (Map.Entry<String, List<Long>> each : bindings.entrySet()) {
      Deque<Long> empty =
          new ArrayDeque<>(
              deletions.getOrDefault(each.getKey(), List.of()).stream().sorted().toList());
      for (long binding : each.getValue().stream().sorted().toList()) {
        if (!empty.isEmpty() && empty.peek() <= binding) {
          total += binding - empty.remove();
          count++;
        }
      }
    }
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(total / 1e3 / count);
  }
}
