package dev.berth.experiments.studies.elastic;

import dev.berth.api.BagReport;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.simulator.FleetSample;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
            .bags(bags::add)
            .fleetSamples(samples::add);
    try (Simulation simulation = entry.start(registry, settings)) {
      return new ElasticRun(entry.label(), simulation.run(), bags, samples);
    }
  }

  /** Returns how many hosts were asked for. */
  double started() {
    return result.hosts().asked();
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
    return result.hosts().hostHours();
  }

  /** Returns what part of the time that is paid for hosts had somebody on them, in percent. */
  double busyPercent() {
    return result.hosts().hostNanos() == 0
        ? 0
        : 100 * result.hosts().busyNanos() / result.hosts().hostNanos();
  }

  /** Returns what part of the tasks was cancelled, in percent. */
  double lostPercent() {
    return 100.0 * result.cancelled() / result.arrivals();
  }
}
