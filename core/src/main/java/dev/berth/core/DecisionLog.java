package dev.berth.core;

import com.google.common.collect.EvictingQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The latest placements of a scheduler and what led to them, and the latest adjustments; of each as
 * many as the builder said. Not thread-safe.
 */
public final class DecisionLog {

  private final EvictingQueue<Decision> latest;
  private final EvictingQueue<ActionRecord> adjustments;

  DecisionLog(int keepLast) {
    this.latest = EvictingQueue.create(keepLast);
    this.adjustments = EvictingQueue.create(keepLast);
  }

  /** Returns the decisions kept, oldest first; a copy. */
  public List<Decision> all() {
    return List.copyOf(latest);
  }

  /** Returns the adjustments kept, oldest first; a copy. */
  public List<ActionRecord> adjustments() {
    return List.copyOf(adjustments);
  }

  /** Returns the latest decision that matches; cost O(decisions kept). */
  public Optional<Decision> latest(Predicate<Decision> matching) {
    return latest(latest, matching);
  }

  /** Returns the latest adjustment that matches; cost O(adjustments kept). */
  public Optional<ActionRecord> latestAdjustment(Predicate<ActionRecord> matching) {
    return latest(adjustments, matching);
  }

  private static <T> Optional<T> latest(Collection<T> kept, Predicate<T> matching) {
    List<T> all = new ArrayList<>(kept);
    for (int i = all.size() - 1; i >= 0; i--) {
      if (matching.test(all.get(i))) {
        return Optional.of(all.get(i));
      }
    }
    return Optional.empty();
  }

  void add(Decision decision) {
    latest.add(decision);
  }

  void add(ActionRecord adjustment) {
    adjustments.add(adjustment);
  }

  boolean keepsNothing() {
    return latest.remainingCapacity() == 0 && latest.isEmpty();
  }
}
