package dev.berth.simulator.metrics;

import dev.berth.simulator.RunResult;
import java.util.List;

/**
 * All that was measured of one run.
 *
 * @param result its totals, and what each class got
 * @param classes what each class went through; in the order of those of the result
 * @param dimensions how the hosts were used
 * @param meanPending mean number of requests that wait for a host, by looks in regular intervals
 * @param maxPending greatest such number
 * @param intervals what active requests had, in regular intervals
 * @param timeline demand, capacity and queue over time
 */
public record RunMetrics(
    RunResult result,
    List<ClassMetrics> classes,
    List<DimensionUse> dimensions,
    double meanPending,
    long maxPending,
    List<IntervalMetrics> intervals,
    Timeline timeline) {

  /** Copies the lists. */
  public RunMetrics {
    classes = List.copyOf(classes);
    dimensions = List.copyOf(dimensions);
    intervals = List.copyOf(intervals);
  }

  /** Returns the penalties of all classes, in core-hours. */
  public double penalty() {
    return classes.stream().mapToDouble(ClassMetrics::penalty).sum();
  }
}
