package dev.berth.benchmarks;

import dev.berth.api.plan.Plan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures one pass over ten thousand arrivals, the next pass when the watchdog fires without any
 * event, and a pass in which nothing has changed.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar LargePass -p hosts=10000
 * }</pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(3)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class LargePassBenchmark {

  /** A cluster that lives as long as the fork. */
  @State(Scope.Benchmark)
  public static class Cluster extends PassMeasurement {

    /** The scenario, by its name in the file. */
    @Param({"burst", "contended-pass", "saturated-pass"})
    public String scenario;

    /** Number of hosts, one of those that the file names for the scenario. */
    @Param({"10000", "50000"})
    public int hosts;

    /** Sets up the cluster and checks a pass. */
    @Setup(Level.Trial)
    public void start() {
      start(scenario, hosts);
      run.next();
      run.check(run.pass());
    }
  }

  /** A cluster with new arrivals. */
  @State(Scope.Benchmark)
  public static class Arrived {

    /** Lets some instances leave and new requests arrive. */
    @Setup(Level.Iteration)
    public void next(Cluster cluster) {
      cluster.run.next();
    }
  }

  /** A cluster after a pass over the arrivals. */
  @State(Scope.Benchmark)
  public static class Waited {

    /** Lets some instances leave and new requests arrive, runs a pass, and lets time pass. */
    @Setup(Level.Iteration)
    public void next(Cluster cluster) {
      cluster.run.next();
      cluster.run.check(cluster.run.pass());
      cluster.run.waitForWatchdog();
    }
  }

  /** A cluster on which passes have nothing left to decide. */
  @State(Scope.Benchmark)
  public static class Idle {

    /**
     * Lets some instances leave and new requests arrive, and runs passes until one decides nothing.
     */
    @Setup(Level.Iteration)
    public void next(Cluster cluster) {
      cluster.run.next();
      cluster.run.passUntilIdle();
    }
  }

  /** The pass over the arrivals. */
  @Benchmark
  public Plan first(Cluster cluster, Arrived arrived) {
    Plan plan = cluster.measured();
    cluster.run.check(plan);
    return plan;
  }

  /**
   * The next pass, at the watchdog. Preempted instances, if any, are pending; the policy decides
   * what happens to them.
   */
  @Benchmark
  public Plan again(Cluster cluster, Waited waited) {
    return cluster.measured();
  }

  /** A pass at the same instant as one that decided nothing. */
  @Benchmark
  public Plan idle(Cluster cluster, Idle idle) {
    return cluster.measured();
  }
}
