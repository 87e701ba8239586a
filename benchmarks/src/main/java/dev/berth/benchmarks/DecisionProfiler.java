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
 * Measures the cost of decisions without their set-up: JMH counts passes, and its {@code -prof gc}
 * includes the set-up. Use with {@code -prof dev.berth.benchmarks.DecisionProfiler}.
 *
 * <ul>
 *   <li>{@code rate}: decisions per second of elapsed time;
 *   <li>{@code bytes}: allocated bytes per decision;
 *   <li>{@code cpu}: microseconds of CPU time per decision, without the time of other programs.
 *       Reading it costs a microsecond, so it is meaningless for single decisions.
 * </ul>
 */
public final class DecisionProfiler implements InternalProfiler {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final Counter CPU = new Counter();
  private static final Counter BYTES = new Counter();
  private static final Counter NANOS = new Counter();
  private static long decisions;

  /** Starts counting. */
  static void begin() {
    CPU.begin(THREADS.getCurrentThreadCpuTime());
    BYTES.begin(THREADS.getCurrentThreadAllocatedBytes());
    NANOS.begin(System.nanoTime());
  }

  /** Stops counting. */
  static void end(int decisionsMade) {
    NANOS.end(System.nanoTime());
    BYTES.end(THREADS.getCurrentThreadAllocatedBytes());
    CPU.end(THREADS.getCurrentThreadCpuTime());
    decisions += decisionsMade;
  }

  @Override
  public String getDescription() {
    return "decisions per second, bytes and CPU time of each, without set-up";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    CPU.sum = 0;
    BYTES.sum = 0;
    NANOS.sum = 0;
    decisions = 0;
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double made = decisions == 0 ? Double.NaN : decisions;
    return List.of(
        new ScalarResult("rate", made * 1e9 / NANOS.sum, "decisions/s", AggregationPolicy.AVG),
        new ScalarResult("bytes", BYTES.sum / made, "B/decision", AggregationPolicy.AVG),
        new ScalarResult("cpu", CPU.sum / 1e3 / made, "us/decision", AggregationPolicy.AVG));
  }

  /** Sums up the differences of a reading. */
  private static final class Counter {

    private long before;
    private long sum;

    void begin(long reading) {
      before = reading;
    }

    void end(long reading) {
      sum += reading - before;
    }
  }
}
