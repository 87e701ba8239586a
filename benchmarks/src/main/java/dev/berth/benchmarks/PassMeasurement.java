package dev.berth.benchmarks;

import dev.berth.api.plan.Plan;
import dev.berth.benchmarks.scenario.BenchmarkScenario;
import dev.berth.benchmarks.scenario.ScenarioRun;
import dev.berth.benchmarks.scenario.Scenarios;
import dev.berth.core.Scheduler;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A run of a scenario whose passes are measured, and its parameters. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters; the subclasses start the run
public abstract class PassMeasurement {

  /** Number of arrivals for each pass; 0: as the file says. */
  @Param("0")
  public int queue;

  /** The policy. */
  @Param({"qos-driven", "qos-hysteresis", "qos-attained", "priority"})
  public String policy;

  /** Its settings as JSON, over its defaults. */
  @Param("{}")
  public String config;

  /** Decisions kept for explanations. */
  @Param("0")
  public int decisionLog;

  ScenarioRun run;

  final void start(String scenario, int hosts) {
    run =
        start(
            scenario,
            hosts,
            queue,
            Scheduler.builder().policy(policy, config).decisionLog(decisionLog));
  }

  static ScenarioRun start(String name, int hosts, int queue, Scheduler.Builder scheduler) {
    BenchmarkScenario scenario = Scenarios.get(name);
    if (!scenario.full().hosts().contains(hosts)) {
      throw new IllegalArgumentException(
          "hosts was %s, must be one of %s for scenario %s."
              .formatted(hosts, scenario.full().hosts(), name));
    }
    return new ScenarioRun(
        scenario, hosts, queue == 0 ? scenario.full().batch() : queue, scheduler);
  }

  final Plan measured() {
    int waiting = run.pendingCount();
    DecisionProfiler.begin();
    Plan plan = run.pass();
    DecisionProfiler.end(waiting);
    return plan;
  }
}
