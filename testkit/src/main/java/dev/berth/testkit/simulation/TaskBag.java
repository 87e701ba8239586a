package dev.berth.testkit.simulation;

import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A bag of tasks of one core each, for a {@link BagScenario}.
 *
 * @param at when it is submitted, from the start of the run; not negative
 * @param tasks how long each task runs, which is also its estimate; at least one, each positive
 * @param timeToLive the time to live that its user sets, positive; empty: none
 */
public record TaskBag(Duration at, List<Duration> tasks, Optional<Duration> timeToLive) {

  /** Copies the list. The {@linkplain Workload workload} checks the values. */
  public TaskBag {
    tasks = List.copyOf(tasks);
  }

  /**
   * Returns a bag of equal tasks without a time to live.
   *
   * @param at when it is submitted
   * @param count how many tasks; at least 1
   * @param each how long each runs
   */
  public static TaskBag of(Duration at, int count, Duration each) {
    return new TaskBag(at, Collections.nCopies(count, each), Optional.empty());
  }

  /** Returns a bag with a time to live: its own or, if it has none, this one. */
  public TaskBag withDefaultTimeToLive(Duration fallback) {
    return new TaskBag(at, tasks, Optional.of(timeToLive.orElse(fallback)));
  }
}
