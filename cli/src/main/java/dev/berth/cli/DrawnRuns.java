package dev.berth.cli;

import dev.berth.experiments.Sample;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.policies.elastic.ClusterSizing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * The thesis's own way to run a workload (section 5.3.1): 30 repetitions, in each of which every
 * use from 5 % to 94 % that bags make of their cluster is tried once, the same for all three bags.
 */
final class DrawnRuns {

  /** Mean time to migrate, start and stop one host: what the thesis's tables come out with. */
  static final Duration WASTE = Duration.ofSeconds(13);

  private static final int REPETITIONS = 30;
  private static final int USES = 90;
  private static final double LEAST_USE = 0.05;
  private static final double STEP = 0.01;
  private static final double MINUTE = 60e9;

  private final List<List<DrawnClusters.Figures>> repetitions;

  private DrawnRuns(List<List<DrawnClusters.Figures>> repetitions) {
    this.repetitions = repetitions;
  }

  /** Runs ElasticSite. */
  static DrawnRuns site(LongFunction<List<Tasks>> workload, long seed) {
    return of(workload, seed, (bags, use) -> DrawnClusters.site(bags, WASTE));
  }

  /** Runs ElasticCluster. */
  static DrawnRuns cluster(
      LongFunction<List<Tasks>> workload, ClusterSizing.Limits limits, long seed) {
    return of(workload, seed, (bags, use) -> DrawnClusters.cluster(bags, use, limits, WASTE));
  }

  private interface Model {
    DrawnClusters.Figures run(List<Tasks> bags, double use);
  }

  private static DrawnRuns of(LongFunction<List<Tasks>> workload, long seed, Model model) {
    List<List<DrawnClusters.Figures>> repetitions = new ArrayList<>();
    for (int i = 0; i < REPETITIONS; i++) {
      List<DrawnClusters.Figures> runs = new ArrayList<>();
      for (int use = 0; use < USES; use++) {
        List<Tasks> bags = workload.apply(seed * REPETITIONS * USES + (long) i * USES + use);
        runs.add(model.run(bags, LEAST_USE + STEP * use));
      }
      repetitions.add(runs);
    }
    return new DrawnRuns(repetitions);
  }

  /** Returns a figure's mean over the uses, of each repetition. */
  private Sample sample(ToDoubleFunction<DrawnClusters.Figures> figure) {
    return Sample.of(repetitions, runs -> Sample.of(runs, figure).mean());
  }

  Sample started() {
    return sample(DrawnClusters.Figures::started);
  }

  Sample reused() {
    return sample(DrawnClusters.Figures::reused);
  }

  Sample clusters() {
    return sample(DrawnClusters.Figures::clusters);
  }

  Sample minutes() {
    return sample(each -> each.end() / MINUTE);
  }

  /** Returns what part of the workloads needed one cluster only, in percent. */
  Sample single() {
    return sample(each -> each.clusters() == 1 ? 100 : 0);
  }

  /** Returns what part of the bags had a new cluster made for them, in percent. */
  Sample fresh() {
    return sample(each -> 100.0 * each.clusters() / 3);
  }
}
