package dev.berth.experiments.studies.elastic;

import dev.berth.api.BagReport;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.simulator.FleetSample;
import dev.berth.simulator.PoolUsage;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One simulation of bags of tasks on hosts that are asked for.
 *
 * @param label what the tables call it
 * @param result its totals
 * @param bags what became of the bags, in the order in which they ended
 * @param samples hosts over time
 */
record ElasticRun(String label, RunResult result, List<BagReport> bags, List<FleetSample> samples) {

  private static final double MINUTE = 60e9;

  /** Copies the lists. */
  ElasticRun {
    bags = List.copyOf(bags);
    samples = List.copyOf(samples);
  }

  /** Simulates to the end. */
  static ElasticRun of(
      ExperimentRun.Entry entry, Scenario scenario, long seed, PolicyRegistry registry) {
    List<BagReport> bags = new ArrayList<>();
    List<FleetSample> samples = new ArrayList<>();
    Simulation.Builder settings =
        Simulation.builder()
            .scenario(scenario)
            .seed(seed)
            .listener(
                new SimulationListener() {
                  @Override
                  public void bagEnded(BagReport report) {
                    bags.add(report);
                  }

                  @Override
                  public void fleetChanged(FleetSample sample) {
                    samples.add(sample);
                  }
                });
    try (Simulation simulation = entry.start(registry, settings)) {
      return new ElasticRun(entry.label(), simulation.run(), bags, samples);
    }
  }

  /** Returns how many hosts were asked for. */
  double started() {
    return result.pools().requested();
  }

  /** Returns how many clusters bags were assigned to. */
  double clusters() {
    return bags.stream().map(BagReport::cluster).flatMap(Optional::stream).distinct().count();
  }

  /** Returns when the last bag ended, in minutes. */
  double minutes() {
    return bags.stream().mapToLong(BagReport::endedAt).max().orElse(0) / MINUTE;
  }

  /** Returns the mean time from a bag's submission to its end, in minutes. */
  double meanBagMinutes() {
    return bags.stream().mapToLong(each -> each.endedAt() - each.submittedAt()).average().orElse(0)
        / MINUTE;
  }

  double hostHours() {
    return result.pools().hostHours();
  }

  /**
   * Returns the share of the paid time in which hosts had instances, in percent; absent if no time
   * was paid for.
   */
  OptionalDouble busyPercent() {
    PoolUsage pools = result.pools();
    return pools.hostNanos() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100 * pools.busyNanos() / pools.hostNanos());
  }

  /** Returns what part of the tasks was cancelled, in percent. */
  double lostPercent() {
    return 100.0 * result.cancelled() / result.arrivals();
  }
}
