package dev.berth.experiments.study;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.ConfigBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.experiments.PolicyChoice;
import dev.berth.experiments.output.CsvText;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * One simulation of an experiment.
 *
 * @param label what the tables call it
 * @param result its totals
 * @param outcomes what became of each request, in order of completion
 */
public record ExperimentRun(String label, RunResult result, List<RequestOutcome> outcomes) {

  private static final double NANOS = 1e9;

  /** Copies the outcomes. */
  public ExperimentRun {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * What to run.
   *
   * @param label what the tables call it
   * @param policy its id
   * @param config its settings as JSON, over its defaults
   */
  public record Entry(String label, String policy, String config) {

    /** With defaults. */
    public Entry(String policy) {
      this(policy, policy, "{}");
    }

    /**
     * Returns a simulation under the policy, at its start; decisions are not noted.
     *
     * @param settings all but the scheduler
     */
    public Simulation start(PolicyRegistry registry, Simulation.Builder settings) {
      try {
        PolicyChoice<?> choice =
            PolicyChoice.of(registry.get(policy), ConfigBinder.parse("policy " + policy, config));
        return choice.start(settings.scheduler(choice.scheduler().decisionLog(0)));
      } catch (UnknownPolicyException | ConfigException impossible) {
        throw new IllegalStateException("an experiment asks for what is not there", impossible);
      }
    }
  }

  /** Simulates to the end. */
  public static ExperimentRun of(Entry entry, Scenario scenario, long seed, PolicyRegistry registry) {
    List<RequestOutcome> outcomes = new ArrayList<>();
    try (Simulation simulation = start(entry, scenario, seed, registry, outcomes)) {
      return new ExperimentRun(entry.label, simulation.run(), outcomes);
    }
  }

  /**
   * Simulates to the end and looks at the memory of each host in regular intervals.
   *
   * @param series gets a row for each host and look
   */
  public static ExperimentRun observed(
      Entry entry,
      Scenario scenario,
      long seed,
      PolicyRegistry registry,
      Duration interval,
      CsvText series) {
    List<RequestOutcome> outcomes = new ArrayList<>();
    try (Simulation simulation = start(entry, scenario, seed, registry, outcomes)) {
      Duration time = Duration.ZERO;
      do {
        simulation.runUntil(time);
        for (Host host : simulation.scheduler().hosts()) {
          look(entry.label, time, host, series);
        }
        time = time.plus(interval);
      } while (!simulation.scheduler().instances().isEmpty()
          && time.compareTo(scenario.until()) <= 0);
      return new ExperimentRun(entry.label, simulation.run(), outcomes);
    }
  }

  /** Returns a table that {@link #observed} fills. */
  public static CsvText memorySeries(String name) {
    return new CsvText(
        name,
        "policy",
        "seconds",
        "host",
        "capacity_gb",
        "granted_gb",
        "needed_gb",
        "running",
        "starting",
        "paused",
        "suspended");
  }

  private static void look(String label, Duration time, Host host, CsvText series) {
    long capacity = host.capacity().amount(Dimension.MEMORY);
    series.row(
        label,
        time.toSeconds(),
        host.id(),
        gigabytes(capacity),
        gigabytes(capacity - host.free(Dimension.MEMORY)),
        gigabytes(host.instances().stream().mapToLong(ExperimentRun::needed).sum()),
        count(host, InstanceState.RUNNING),
        count(host, InstanceState.STARTING),
        count(host, InstanceState.PAUSED),
        count(host, InstanceState.SUSPENDED));
  }

  private static long needed(Instance instance) {
    return instance.usage().map(each -> each.need(Dimension.MEMORY)).orElse(0L);
  }

  private static long count(Host host, InstanceState state) {
    return host.instances().stream().filter(each -> each.state() == state).count();
  }

  private static double gigabytes(long bytes) {
    return (double) bytes / Dimension.MEMORY.unitsPerWhole();
  }

  private static Simulation start(
      Entry entry, Scenario scenario, long seed, PolicyRegistry registry, List<RequestOutcome> outcomes) {
    return entry.start(
        registry,
        Simulation.builder()
            .scenario(scenario)
            .seed(seed)
            .listener(SimulationListener.onRequestEnded(outcomes::add)));
  }

  // ---- Figures, in seconds

  /** Returns when the last job was done. */
  public double total() {
    return outcomes.stream().mapToLong(each -> each.report().endedAt()).max().orElse(0) / NANOS;
  }

  /** Returns the mean time from a job's being first ready to its end. */
  public double run() {
    return mean(ExperimentRun::runNanos);
  }

  public static long runNanos(RequestOutcome outcome) {
    return outcome.report().endedAt() - outcome.firstReadyAt().orElse(outcome.report().endedAt());
  }

  /** Returns the mean time from a job's being first placed to its being ready. */
  public double start() {
    return mean(
        each ->
            each.firstReadyAt().orElse(each.report().endedAt())
                - each.firstPlacedAt().orElse(each.report().endedAt()));
  }

  /** Returns the mean time from a job's coming to its end. */
  public double turnaround() {
    return mean(each -> each.report().endedAt() - each.report().admittedAt());
  }

  /** Returns how many jobs were done after their deadline. */
  public long late() {
    return outcomes.stream().filter(each -> latenessNanos(each) > 0).count();
  }

  /** Returns by how much jobs missed their deadlines, summed. */
  public double lateness() {
    return outcomes.stream().mapToDouble(each -> latenessNanos(each) / NANOS).sum();
  }

  public static long latenessNanos(RequestOutcome outcome) {
    return outcome.request().deadline().isEmpty()
        ? 0
        : Math.max(
            0,
            outcome.report().endedAt()
                - outcome.report().admittedAt()
                - outcome.request().deadline().getAsLong());
  }

  private double mean(ToLongFunction<RequestOutcome> figure) {
    return outcomes.stream().mapToLong(figure).average().orElse(0) / NANOS;
  }
}
