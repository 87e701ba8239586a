package dev.berth.experiments.studies.elastic;

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
public final class PetriNetRuns {

  /** Mean time to migrate, start and stop one host: the value behind the tables of the thesis. */
  public static final Duration WASTE = Duration.ofSeconds(13);

  private static final int REPETITIONS = 30;
  private static final int USES = 90;
  private static final double LEAST_USE = 0.05;
  private static final double STEP = 0.01;
  private static final double MINUTE = 60e9;

  private final List<List<PetriNetModel.Figures>> repetitions;

  private PetriNetRuns(List<List<PetriNetModel.Figures>> repetitions) {
    this.repetitions = repetitions;
  }

  /** Runs ElasticSite. */
  public static PetriNetRuns site(LongFunction<List<Tasks>> workload, long seed) {
    return of(workload, seed, (bags, use) -> PetriNetModel.site(bags, WASTE));
  }

  /** Runs ElasticCluster. */
  public static PetriNetRuns cluster(
      LongFunction<List<Tasks>> workload, ClusterSizing.Limits limits, long seed) {
    return of(workload, seed, (bags, use) -> PetriNetModel.cluster(bags, use, limits, WASTE));
  }

  private interface Model {
    PetriNetModel.Figures run(List<Tasks> bags, double use);
  }

  private static PetriNetRuns of(LongFunction<List<Tasks>> workload, long seed, Model model) {
    List<List<PetriNetModel.Figures>> repetitions = new ArrayList<>();
    for (int i = 0; i < REPETITIONS; i++) {
      List<PetriNetModel.Figures> runs = new ArrayList<>();
      for (int use = 0; use < USES; use++) {
        List<Tasks> bags = workload.apply(seed * REPETITIONS * USES + (long) i * USES + use);
        runs.add(model.run(bags, LEAST_USE + STEP * use));
      }
      repetitions.add(runs);
    }
    return new PetriNetRuns(repetitions);
  }

  /** Returns a figure's mean over the uses, of each repetition. */
  private Sample sample(ToDoubleFunction<PetriNetModel.Figures> figure) {
    return Sample.of(repetitions, runs -> Sample.of(runs, figure).mean());
  }

  public Sample started() {
    return sample(PetriNetModel.Figures::started);
  }

  public Sample reused() {
    return sample(PetriNetModel.Figures::reused);
  }

  public Sample clusters() {
    return sample(PetriNetModel.Figures::clusters);
  }

  public Sample minutes() {
    return sample(each -> each.end() / MINUTE);
  }

  /** Returns the share of the workloads that needed only one cluster, in percent. */
  Sample single() {
    return sample(each -> each.clusters() == 1 ? 100 : 0);
  }

  /** Returns the share of the bags that got a new cluster, in percent. */
  Sample fresh() {
    return sample(each -> 100.0 * each.clusters() / 3);
  }
}
