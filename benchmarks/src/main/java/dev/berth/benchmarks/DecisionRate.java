package dev.berth.benchmarks;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Decisions per second of elapsed time, without what sets passes up: JMH itself counts passes. Use
 * with {@code -prof dev.berth.benchmarks.DecisionRate}.
 */
public final class DecisionRate implements InternalProfiler {

  private static long nanos;
  private static long decisions;
  private static long before;

  /** Marks the begin of what is counted. */
  static void begin() {
    before = System.nanoTime();
  }

  /** Marks the end of what is counted. */
  static void end(int decisionsMade) {
    nanos += System.nanoTime() - before;
    decisions += decisionsMade;
  }

  @Override
  public String getDescription() {
    return "decisions per second, without set-up";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    nanos = 0;
    decisions = 0;
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double rate = nanos == 0 ? Double.NaN : decisions * 1e9 / nanos;
    return List.of(new ScalarResult("rate", rate, "decisions/s", AggregationPolicy.AVG));
  }
}
