package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
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

  /** Hosts started. */
  public static final Figure<PetriNetModel.Figures> STARTED =
      figure("started", "started", "hosts started", 1, PetriNetModel.Figures::started);

  /** Idle hosts used again. */
  public static final Figure<PetriNetModel.Figures> REUSED =
      figure("reused", "used_again", "hosts used again", 1, PetriNetModel.Figures::reused);

  /** Clusters created. */
  public static final Figure<PetriNetModel.Figures> CLUSTERS =
      figure("clusters", "clusters", "clusters", 2, PetriNetModel.Figures::clusters);

  /** Time until the last bag ends. */
  public static final Figure<PetriNetModel.Figures> MINUTES =
      figure("minutes", "minutes", "time until all tasks end", 1, each -> each.end() / 60e9);

  /** Share of the workloads that needed only one cluster, in percent. */
  static final Figure<PetriNetModel.Figures> SINGLE =
      figure("single", "single_percent", "one cluster", 1, each -> each.clusters() == 1 ? 100 : 0);

  /** Share of the bags that got a new cluster, in percent. */
  static final Figure<PetriNetModel.Figures> FRESH =
      figure(
          "fresh",
          "fresh_percent",
          "bags that get a new cluster",
          1,
          each -> 100.0 * each.clusters() / 3);

  private static final int REPETITIONS = 30;
  private static final int USES = 90;
  private static final double LEAST_USE = 0.05;
  private static final double STEP = 0.01;

  private final List<List<PetriNetModel.Figures>> repetitions;

  private PetriNetRuns(List<List<PetriNetModel.Figures>> repetitions) {
    this.repetitions = repetitions;
  }

  private static Figure<PetriNetModel.Figures> figure(
      String key,
      String column,
      String words,
      int digits,
      ToDoubleFunction<PetriNetModel.Figures> reader) {
    return Figure.defined(key, column, words, digits, false, reader);
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

  /** Returns the mean of a figure over the uses, of each repetition. */
  public Sample get(Figure<PetriNetModel.Figures> figure) {
    return Sample.of(repetitions, runs -> figure.over(runs).mean());
  }

  /** Returns the mean of a figure over all. */
  double mean(Figure<PetriNetModel.Figures> figure) {
    return get(figure).mean();
  }
}
