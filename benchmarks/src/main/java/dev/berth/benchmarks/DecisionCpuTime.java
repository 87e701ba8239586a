package dev.berth.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
 * CPU time that the measured decisions themselves take, without what sets them up, and without the
 * time in which other programs have the CPU: on a shared machine JMH's scores are of little use.
 * Use with {@code -prof dev.berth.benchmarks.DecisionCpuTime}.
 */
public final class DecisionCpuTime implements InternalProfiler {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static long nanos;
  private static long decisions;
  private static long before;

  /** Marks the begin of what is counted. */
  static void begin() {
    before = THREADS.getCurrentThreadCpuTime();
  }

  /** Marks the end of what is counted. */
  static void end(int decisionsMade) {
    nanos += THREADS.getCurrentThreadCpuTime() - before;
    decisions += decisionsMade;
  }

  @Override
  public String getDescription() {
    return "CPU time per decision, without set-up";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    nanos = 0;
    decisions = 0;
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double perDecision = decisions == 0 ? Double.NaN : nanos / 1e3 / decisions;
    return List.of(new ScalarResult("cpu", perDecision, "us/decision", AggregationPolicy.AVG));
  }
}
