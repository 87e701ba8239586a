package dev.berth.core;

import com.google.common.collect.EvictingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The latest placements of a scheduler and what led to them; as many as the builder said. Not
 * thread-safe.
 */
public final class DecisionLog {

  private final EvictingQueue<Decision> latest;

  DecisionLog(int keepLast) {
    this.latest = EvictingQueue.create(keepLast);
  }

  /** Returns the decisions kept, oldest first; a copy. */
  public List<Decision> all() {
    return List.copyOf(latest);
  }

  /** Returns the latest decision that matches; cost O(decisions kept). */
  public Optional<Decision> latest(Predicate<Decision> matching) {
    List<Decision> all = new ArrayList<>(latest);
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

  boolean keepsNothing() {
    return latest.remainingCapacity() == 0 && latest.isEmpty();
  }
}
