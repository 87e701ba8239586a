package dev.berth.benchmarks;

import dev.berth.api.Plan;
import dev.berth.benchmarks.scenario.BenchmarkScenario;
import dev.berth.benchmarks.scenario.ScenarioRun;
import dev.berth.benchmarks.scenario.Scenarios;
import dev.berth.core.Scheduler;
import dev.berth.core.SchedulerBuilder;
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
public class ScenarioBenchmark {

  /** The scenario, by its name in the file. */
  @Param({"fill", "churn", "contended", "constrained", "placed", "google"})
  public String scenario;

  /** Number of hosts, one of those that the file names for the scenario. */
  @Param({"100", "1000", "10000", "50000"})
  public int hosts;

  /** Number of arrivals for each pass; 0: as the file says. */
  @Param("0")
  public int queue;

  /** The policy. */
  @Param({"qos-driven", "qos-hysteresis", "priority"})
  public String policy;

  /** Its settings as JSON, over its defaults. */
  @Param("{}")
  public String config;

  /** Decisions kept for explanations. */
  @Param("0")
  public int decisionLog;

  private ScenarioRun run;

  /** Sets up the cluster and checks passes. */
  @Setup(Level.Trial)
  public void start() {
    run =
        start(
            scenario,
            hosts,
            queue,
            Scheduler.builder().policy(policy, config).decisionLog(decisionLog));
    for (int i = 0; i < 2; i++) {
      run.next();
      run.check(run.pass());
    }
  }

  static ScenarioRun start(String name, int hosts, int queue, SchedulerBuilder scheduler) {
    BenchmarkScenario scenario = Scenarios.get(name);
    if (!scenario.full().hosts().contains(hosts)) {
      throw new IllegalArgumentException(
          "hosts was %s, must be one of %s for scenario %s."
              .formatted(hosts, scenario.full().hosts(), name));
    }
    return new ScenarioRun(
        scenario, hosts, queue == 0 ? scenario.full().batch() : queue, scheduler);
  }

  /** Lets some instances leave and new requests arrive. */
  @Setup(Level.Invocation)
  public void next() {
    run.next();
  }

  /** One pass. */
  @Benchmark
  public Plan pass() {
    Plan plan = measured(run);
    run.check(plan);
    return plan;
  }

  static Plan measured(ScenarioRun run) {
    int waiting = run.pendingCount();
    DecisionProfiler.begin();
    Plan plan = run.pass();
    DecisionProfiler.end(waiting);
    return plan;
  }
}
