package dev.berth.simulator.metrics;

import dev.berth.simulator.result.RunResult;
import java.util.List;

/**
 * All figures of one run: its result, and what a {@link MetricsCollector} sampled.
 *
 * @param result totals and the figures of each service class
 * @param dimensions use of the hosts, by dimension
 * @param meanPending mean number of requests that wait for a host, over all samples
 * @param maxPending greatest number of requests that wait for a host
 * @param intervals figures of the requests active in each interval
 * @param timeline demand, capacity and queue over time
 */
public record RunMetrics(
    RunResult result,
    List<DimensionUsage> dimensions,
    double meanPending,
    long maxPending,
    List<IntervalMetrics> intervals,
    Timeline timeline) {

  /** Copies the lists. */
  public RunMetrics {
    dimensions = List.copyOf(dimensions);
    intervals = List.copyOf(intervals);
  }
}
