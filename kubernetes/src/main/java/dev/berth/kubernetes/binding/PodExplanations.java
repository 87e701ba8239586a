package dev.berth.kubernetes.binding;

import dev.berth.api.InstanceState;
import dev.berth.core.Scheduler;
import dev.berth.kubernetes.binding.InstanceBook.View;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.kubernetes.meaning.Refusal;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says on pods why they wait, or why they are refused.
 *
 * <p>Used by tasks of the binding alone, but for the number of refused pods.
 */
final class PodExplanations extends Part {

  private static final Duration SAID_EVERY = Duration.ofSeconds(10);
  private static final int AT_ONCE = 50;

  private final Map<String, List<Refusal>> refused = new ConcurrentHashMap<>(); // by UID
  private final Map<String, Long> saidAt = new HashMap<>(); // by UID

  PodExplanations(Part shared) {
    super(shared);
  }

  /** Says that a pod asks for what is not understood. */
  void refuse(PodRef ref, Pod pod, List<Refusal> reasons) {
    if (!reasons.equals(refused.put(ref.uid(), reasons))) {
      notes.waits(pod, "Unschedulable", Refusal.describe(reasons), time.now());
    }
  }

  /** Notes that a pod is understood, and says which of its wishes are left out. */
  void accept(PodRef ref, Pod pod, List<Refusal> leftOut) {
    refused.remove(ref.uid());
    if (!leftOut.isEmpty()) {
      notes.event(pod, "Normal", "WishLeftOut", Refusal.describe(leftOut), time.now());
    }
  }

  /** Forgets a pod that is gone. */
  void forget(PodRef ref) {
    refused.remove(ref.uid());
    saidAt.remove(ref.uid());
  }

  /** Returns why pods are refused, by UID. */
  Map<String, List<Refusal>> refused() {
    return Map.copyOf(refused);
  }

  int refusedPods() {
    return refused.size();
  }

  /** Has refused pods looked at again: a claim may be bound by now. */
  void lookAgain() {
    mirror.pods().stream()
        .filter(each -> refused.containsKey(each.getMetadata().getUid()))
        .forEach(each -> mirror.look(PodRef.of(each)));
  }

  /** Says on some pods why they wait, on each at most once in ten seconds. */
  void explain() {
    long now = time.now();
    int left = AT_ONCE;
    for (View view : book.all()) {
      PodRef pod = view.pod();
      if (left > 0
          && pod != null
          && view.where() == Where.PENDING
          && now - saidAt.getOrDefault(pod.uid(), 0L) > SAID_EVERY.toNanos()) {
        left--;
        saidAt.put(pod.uid(), now);
        var unused =
            loop.ask(scheduler -> why(scheduler, view.instance()))
                .thenAcceptAsync(why -> why.ifPresent(text -> say(pod, text)), tasks);
      }
    }
  }

  private static Optional<String> why(Scheduler scheduler, String instance) {
    return scheduler
        .instance(instance)
        .filter(each -> each.state() == InstanceState.PENDING)
        .map(each -> scheduler.explain().whyPending(instance, scheduler.now()).describe());
  }

  /** Says why a pod waits. */
  void say(PodRef ref, String why) {
    mirror.pod(ref).ifPresent(pod -> notes.waits(pod, "Unschedulable", why, time.now()));
  }
}
