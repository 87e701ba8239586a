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
    List<DimensionUsage> dimensions,
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

  /** Returns the mean time not in service over the requests of all classes, in seconds. */
  public double waitingMean() {
    double waited = 0;
    long count = 0;
    for (int i = 0; i < classes.size(); i++) {
      long requests = result.classes().get(i).count();
      waited += classes.get(i).waitingMean() * requests;
      count += requests;
    }
    return count == 0 ? 0 : waited / count;
  }

  /** Returns what starting again after preemptions took, over all classes, in seconds. */
  public double restartOverhead() {
    return classes.stream().mapToDouble(ClassMetrics::restartOverhead).sum();
  }

  /** Returns the penalties of all classes, in core-hours. */
  public double penalty() {
    return classes.stream().mapToDouble(ClassMetrics::penalty).sum();
  }
}
