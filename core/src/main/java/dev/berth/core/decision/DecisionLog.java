package dev.berth.core.decision;

import dev.berth.api.Experimental;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The latest placements of a scheduler with their reasons, and its latest other actions. {@link
 * dev.berth.core.Scheduler.Builder#decisionLog} sets how many of each are kept. Not thread-safe.
 */
@Experimental
public interface DecisionLog {

  /** Returns a copy of the decisions kept, oldest first. */
  List<Decision> all();

  /** Returns a copy of the other actions kept, oldest first: no placements and preemptions. */
  List<ActionRecord> adjustments();

  /** Returns the latest decision that matches; cost O(decisions kept). */
  Optional<Decision> latest(Predicate<Decision> matching);

  /** Returns the latest other action that matches; cost O(actions kept). */
  Optional<ActionRecord> latestAdjustment(Predicate<ActionRecord> matching);
}
