package dev.berth.benchmarks;

import dev.berth.core.Scheduler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the digest of a scheduler after some hosts have reported their load. Each host runs ten
 * instances, and none waits. The time includes the reports.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar Digest
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up method
public class DigestBenchmark {

  /** Number of hosts. */
  @Param({"1000", "10000", "50000"})
  public int hosts;

  /** Number of hosts that change between two digests. */
  @Param({"1", "10", "100"})
  public int changes;

  private Scheduler scheduler;
  private long reports;

  /** Sets up the cluster, and computes the first digest. */
  @Setup
  public void start() {
    start(LargeCluster.running(hosts, LargeCluster.INSTANCES_PER_HOST * hosts));
  }

  void start(Scheduler running) {
    scheduler = running;
    scheduler.digest();
  }

  /** Some reports, and the digest after them. */
  @Benchmark
  public long digest() {
    reports++;
    for (int i = 0; i < changes; i++) {
      scheduler.loadReported("host-" + 7 * i, (double) (reports % 5), scheduler.now());
    }
    return scheduler.digest();
  }
}
