package dev.berth.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
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
 * Bytes that the measured decisions themselves allocate, without what sets them up, which JMH's own
 * {@code -prof gc} counts too. Use with {@code -prof dev.berth.benchmarks.DecisionAllocation}.
 */
public final class DecisionAllocation implements InternalProfiler {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long bytes;
  private static long decisions;
  private static long before;

  /** Marks the begin of what is counted. */
  static void begin() {
    before = THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Marks the end of what is counted. */
  static void end(int decisionsMade) {
    bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
    decisions += decisionsMade;
  }

  @Override
  public String getDescription() {
    return "bytes allocated per decision, without set-up";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    bytes = 0;
    decisions = 0;
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double perDecision = decisions == 0 ? Double.NaN : (double) bytes / decisions;
    return List.of(new ScalarResult("bytes", perDecision, "B/decision", AggregationPolicy.AVG));
  }
}
