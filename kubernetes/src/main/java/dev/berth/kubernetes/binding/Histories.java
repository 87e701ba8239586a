package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.api.TimeLimits;
import dev.berth.json.UnreadableException;
import dev.berth.kubernetes.meaning.PodTimes;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Writes histories on pods, and reads those that the scheduler wrote itself. Users may change the
 * annotations of their pods, so each is sealed for the UID of its pod: one that is forged, changed
 * or copied from another pod does not count, and neither does one that cannot be true.
 *
 * <p>Tasks of the binding read; any thread may write.
 */
final class Histories extends Part {

  /** Far from {@link History#MOST}, so that no count can reach that in the life of a scheduler. */
  private static final int MOST = History.MOST / 2;

  private final Optional<HistoryKey> key;

  private Histories(Part shared, Optional<HistoryKey> key) {
    super(shared);
    this.key = key;
  }

  static Histories sealed(Part shared, HistoryKey key) {
    return new Histories(shared, Optional.of(key));
  }

  /** Returns what believes all histories that can be true, for a scheduler that changes nothing. */
  static Histories unchecked(Part shared) {
    return new Histories(shared, Optional.empty());
  }

  /** Returns the annotation of a pod of an instance. */
  Map<String, String> annotation(PodRef pod, String instance, History history) {
    Placed open = new Placed(instance, history, Optional.empty());
    Optional<String> seal = key.map(each -> each.seal(pod.uid(), open.sealed()));
    return Map.of(Placed.ANNOTATION, new Placed(instance, history, seal).toJson());
  }

  /** Returns what a pod says about its instance; empty if it says nothing that counts. */
  Optional<Placed> of(Pod pod) {
    Optional<Placed> found;
    try {
      found = Placed.of(pod);
    } catch (UnreadableException damaged) {
      ignore(pod, "it cannot be read: " + damaged.getMessage());
      return Optional.empty();
    }
    if (found.isEmpty()) {
      return found;
    }
    Placed placed = found.get();
    if (!isOurs(pod.getMetadata().getUid(), placed)) {
      ignore(pod, "this scheduler did not write it on this pod.");
    } else if (!isPossible(placed.history()) || placed.instance().isBlank()) {
      ignore(pod, "it cannot be true.");
    } else {
      return found;
    }
    return Optional.empty();
  }

  private boolean isOurs(String uid, Placed placed) {
    return key.isEmpty()
        || placed.seal().filter(it -> key.get().isSealed(uid, placed.sealed(), it)).isPresent();
  }

  /** Says that the annotation of a pod does not count. */
  void ignore(Pod pod, String why) {
    notes.warn(
        pod,
        "HistoryIgnored",
        "Annotation %s is ignored, and the pod begins a new history: %s"
            .formatted(Placed.ANNOTATION, why),
        time.now());
  }

  /** Returns whether a history is within the limits of a scheduler, so that it can continue. */
  static boolean isPossible(History history) {
    return history.admittedAt() >= 0
        && history.served().compareTo(TimeLimits.LONGEST_LIFE) <= 0
        && history.restartOverhead().compareTo(TimeLimits.LONGEST_LIFE) <= 0
        && history.placements() <= MOST
        && history.preemptions() <= MOST
        && history.migrations() <= MOST
        && history.attempt() <= MOST;
  }

  /**
   * Returns whether what was received fits into the time from the admission to another one.
   *
   * @param history a {@linkplain #isPossible possible} one
   */
  static boolean fits(History history, long until) {
    return history.admittedAt() <= until
        && history
                .served()
                .plus(history.restartOverhead())
                .compareTo(Duration.ofNanos(until).minusNanos(history.admittedAt()))
            <= 0;
  }

  /** Returns the history of a pod that has only waited. It does not begin in the future. */
  static History anew(Pod pod, long now) {
    return History.since(Math.min(now, PodTimes.created(pod)));
  }
}
