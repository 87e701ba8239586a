package dev.berth.experiments.study;

import dev.berth.api.batch.BagReport;
import dev.berth.core.Scheduler;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One run of a policy in a study.
 *
 * @param label name of the policy in tables
 * @param result its totals
 * @param outcomes of the requests, in order of completion
 * @param bags reports of the bags, in order of completion
 * @param samples hosts over time; one sample for each change
 */
public record StudyRun(
    String label,
    RunResult result,
    List<RequestOutcome> outcomes,
    List<BagReport> bags,
    List<FleetSample> samples) {

  /** Copies the lists. */
  public StudyRun {
    outcomes = List.copyOf(outcomes);
    bags = List.copyOf(bags);
    samples = List.copyOf(samples);
  }

  /** Simulates a scenario to its end. */
  public static StudyRun of(ComparedPolicy policy, Scenario scenario, long seed) {
    return of(policy, settings(scenario, seed));
  }

  /**
   * Runs a simulation to its end.
   *
   * @param settings as {@link dev.berth.experiments.run.PolicyChoice#simulate}
   */
  public static StudyRun of(
      ComparedPolicy policy, Function<Scheduler.Builder, Simulation.Builder> settings) {
    return of(policy, settings, Simulation::run);
  }

  /**
   * Simulates a scenario to its end and observes it in regular intervals.
   *
   * @param interval simulated time between two observations
   * @param observer receives the simulated time and the simulation
   */
  public static StudyRun observed(
      ComparedPolicy policy,
      Scenario scenario,
      long seed,
      Duration interval,
      BiConsumer<Duration, Simulation> observer) {
    return of(
        policy,
        settings(scenario, seed),
        simulation -> {
          Duration time = Duration.ZERO;
          do {
            simulation.runUntil(time);
            observer.accept(time, simulation);
            time = time.plus(interval);
          } while (simulation.scheduler().instanceCount() > 0
              && time.compareTo(scenario.until()) <= 0);
          return simulation.run();
        });
  }

  private static StudyRun of(
      ComparedPolicy policy,
      Function<Scheduler.Builder, Simulation.Builder> settings,
      Function<Simulation, RunResult> execution) {
    Collector collector = new Collector();
    RunResult result =
        policy
            .choice()
            .simulate(scheduler -> settings.apply(scheduler).listener(collector), execution);
    return new StudyRun(
        policy.label(), result, collector.outcomes, collector.bags, collector.samples);
  }

  private static Function<Scheduler.Builder, Simulation.Builder> settings(
      Scenario scenario, long seed) {
    return scheduler -> Simulation.builder().scheduler(scheduler).scenario(scenario).seed(seed);
  }

  /**
   * Returns a figure of the run.
   *
   * @throws java.util.NoSuchElementException if it is undefined
   */
  public double get(Figure<StudyRun> figure) {
    return figure.of(this).orElseThrow();
  }

  /** Returns the time from a request's being first ready to its end, in nanoseconds. */
  public static long runNanos(RequestOutcome outcome) {
    return outcome.report().endedAt() - outcome.firstReadyAt().orElse(outcome.report().endedAt());
  }

  /** Returns the time by which a request missed its deadline, in nanoseconds; 0 without one. */
  public static long latenessNanos(RequestOutcome outcome) {
    return outcome.request().deadline().isEmpty()
        ? 0
        : Math.max(
            0,
            outcome.report().endedAt()
                - outcome.report().admittedAt()
                - outcome.request().deadline().getAsLong());
  }

  /** Returns whether a request ended after its deadline. */
  static boolean isLate(RequestOutcome outcome) {
    return latenessNanos(outcome) > 0;
  }

  /** Returns the time by which requests missed their deadlines, summed. */
  double latenessSeconds() {
    return outcomes.stream().mapToDouble(each -> latenessNanos(each) / 1e9).sum();
  }

  /** Collects what a simulation reports. */
  private static final class Collector implements SimulationListener {

    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final List<BagReport> bags = new ArrayList<>();
    private final List<FleetSample> samples = new ArrayList<>();

    @Override
    public void requestEnded(RequestOutcome outcome) {
      outcomes.add(outcome);
    }

    @Override
    public void bagEnded(BagReport report) {
      bags.add(report);
    }

    @Override
    public void fleetChanged(FleetSample sample) {
      samples.add(sample);
    }
  }
}
