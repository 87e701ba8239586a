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
 * Measures passes over the arrivals of a scenario, a hundred at a time by default: median, 99th
 * percentile and maximum of the time of a pass, and with the profiler the cost of a decision.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar ScenarioBenchmark -p scenario=contended -p hosts=1000 \
 *     -prof dev.berth.benchmarks.DecisionProfiler
 * }</pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class ScenarioBenchmark extends PassMeasurement {

  /** The scenario, by its name in the file. */
  @Param({"fill", "churn", "contended", "constrained", "placed", "google"})
  public String scenario;

  /** Number of hosts, one of those that the file names for the scenario. */
  @Param({"100", "1000", "10000", "50000"})
  public int hosts;

  /** Sets up the cluster and checks passes. */
  @Setup(Level.Trial)
  public void start() {
    start(scenario, hosts);
    for (int i = 0; i < 2; i++) {
      run.next();
      run.check(run.pass());
    }
  }

  /** Lets some instances leave and new requests arrive. */
  @Setup(Level.Invocation)
  public void next() {
    run.next();
  }

  /** One pass. */
  @Benchmark
  public Plan pass() {
    Plan plan = measured();
    run.check(plan);
    return plan;
  }
}
