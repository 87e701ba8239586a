package dev.berth.core.decision;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The latest placements of a scheduler with their reasons, and its latest other actions. {@link
 * dev.berth.core.Scheduler.Builder#decisionLog} sets how many of each are kept. Not thread-safe.
 */
public interface DecisionLog {

  /** Returns the decisions kept, oldest first; a copy. */
  List<Decision> all();

  /** Returns the actions kept that are neither placements nor preemptions, oldest first; a copy. */
  List<ActionRecord> adjustments();

  /** Returns the latest decision that matches; cost O(decisions kept). */
  Optional<Decision> latest(Predicate<Decision> matching);

  /** Returns the latest other action that matches; cost O(actions kept). */
  Optional<ActionRecord> latestAdjustment(Predicate<ActionRecord> matching);
}
