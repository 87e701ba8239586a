package dev.berth.experiments.figures;

import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of one service class, ours or published, in one run or over several. A figure that is
 * undefined or was not published has no values.
 *
 * @param name of the service class
 * @param values of each figure: one for each run in which it is defined
 */
public record ClassFigures(String name, Map<Figure<ClassResult>, Sample> values) {

  /** The availability objective, a share. */
  public static final Figure<ClassResult> SLO =
      Figure.defined("slo", "slo", "SLO", 4, true, ClassResult::slo);

  /** Requests with an availability. */
  public static final Figure<ClassResult> COUNT =
      Figure.defined("count", "requests", "requests", 0, true, ClassResult::count);

  /** Smallest availability. */
  public static final Figure<ClassResult> MIN =
      new Figure<>("min", "availability_min", "smallest availability", 4, true, ClassResult::min);

  /** Mean availability. */
  public static final Figure<ClassResult> MEAN =
      new Figure<>("mean", "availability_mean", "mean availability", 4, true, ClassResult::mean);

  /** Greatest availability. */
  public static final Figure<ClassResult> MAX =
      new Figure<>("max", "availability_max", "greatest availability", 4, true, ClassResult::max);

  /** Share of the requests whose availability reaches the objective. */
  public static final Figure<ClassResult> FULFILMENT =
      new Figure<>("fulfilment", "fulfilment", "fulfilment", 4, true, ClassResult::fulfilment);

  /** Share of the requests that meet their objective as far as it can be met. */
  public static final Figure<ClassResult> MET =
      new Figure<>("met", "met", "objective met", 4, true, ClassResult::met);

  /** Mean deficit of the requests that miss their objective; undefined if none does. */
  public static final Figure<ClassResult> MEAN_DEFICIT =
      new Figure<>(
          "meanDeficit", "deficit_mean", "mean deficit", 4, false, ClassResult::meanDeficit);

  /** Greatest deficit; undefined likewise. */
  public static final Figure<ClassResult> MAX_DEFICIT =
      new Figure<>(
          "maxDeficit", "deficit_max", "greatest deficit", 4, false, ClassResult::maxDeficit);

  /** Mean over all requests of what they lack to the objective; 0 for those that meet it. */
  public static final Figure<ClassResult> SHORTFALL =
      new Figure<>("shortfall", "shortfall", "short of the SLO", 4, false, ClassFigures::shortfall);

  /** Requests that were never ready. */
  public static final Figure<ClassResult> NEVER_RAN =
      Figure.defined("neverRan", "never_ran", "never ran", 0, false, ClassResult::neverRan);

  /** Number of preemptions. */
  public static final Figure<ClassResult> PREEMPTIONS =
      Figure.defined(
          "preemptions", "preemptions", "preemptions", 0, false, ClassResult::preemptions);

  /** Penalties for missed objectives. */
  public static final Figure<ClassResult> PENALTY =
      Figure.defined(
          "penaltyCoreHours", "penalty_core_h", "penalty", 2, false, ClassResult::penalty);

  /** Time spent on restarts after preemptions. */
  public static final Figure<ClassResult> RESTARTS =
      Figure.defined(
          "restartOverheadHours",
          "restarts_h",
          "restarts",
          2,
          false,
          each -> each.restartOverhead() / 3600);

  /** Time on hosts that preemptions cost. */
  public static final Figure<ClassResult> LOST_WORK =
      Figure.defined(
          "lostWorkHours", "lost_work_h", "lost work", 2, false, each -> each.lostWork() / 3600);

  /** Inequality of the availabilities of active requests; intervals have it, runs do not. */
  public static final Figure<ClassResult> GINI =
      new Figure<>("gini", "gini", "inequality (Gini)", 4, false, each -> OptionalDouble.empty());

  /** Means of {@link #MIN} over intervals, seed by seed; likewise. */
  public static final Figure<ClassResult> MIN_BY_SEED =
      new Figure<>(
          "minBySeed",
          "min_by_seed",
          "smallest availability",
          4,
          true,
          each -> OptionalDouble.empty());

  /** The figures that a run has of each class. */
  static final List<Figure<ClassResult>> OF_RUNS =
      List.of(
          SLO,
          COUNT,
          MIN,
          MEAN,
          MAX,
          FULFILMENT,
          MET,
          MEAN_DEFICIT,
          MAX_DEFICIT,
          SHORTFALL,
          NEVER_RAN,
          PREEMPTIONS,
          PENALTY,
          RESTARTS,
          LOST_WORK);

  /** Copies the map. */
  public ClassFigures {
    values = Map.copyOf(values);
  }

  /** Returns the figures of a class in a run. */
  public static ClassFigures of(ClassResult got) {
    return of(List.of(got));
  }

  /** Returns the figures of a class in a run; empty if the workload lacks it. */
  public static Optional<ClassFigures> of(RunResult run, String name) {
    return run.classes().stream()
        .filter(each -> each.name().equals(name))
        .map(ClassFigures::of)
        .findFirst();
  }

  /** Returns the figures of a class over runs, at least one. */
  public static ClassFigures of(List<ClassResult> runs) {
    Map<Figure<ClassResult>, Sample> values = new LinkedHashMap<>();
    OF_RUNS.forEach(each -> values.put(each, each.over(runs)));
    return new ClassFigures(runs.get(0).name(), values);
  }

  private static OptionalDouble shortfall(ClassResult got) {
    return got.fulfilment().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(got.meanDeficit().orElse(0) * (1 - got.fulfilment().getAsDouble()));
  }

  /** Returns the figures of the class of that name, if it is among these. */
  public static Optional<ClassFigures> find(List<ClassFigures> classes, String name) {
    return classes.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Returns the values of a figure. */
  public Sample get(Figure<ClassResult> figure) {
    return values.getOrDefault(figure, Sample.NONE);
  }

  /** Returns the mean of a figure. */
  public double mean(Figure<ClassResult> figure) {
    return get(figure).mean();
  }

  /** Returns a figure of one run; empty if it is undefined. */
  public OptionalDouble only(Figure<ClassResult> figure) {
    return get(figure).only();
  }

  /** Returns the availability objective, a share. */
  public double slo() {
    return get(SLO).values().get(0);
  }

  /** Returns the number of requests in one run. */
  public long count() {
    return (long) only(COUNT).orElseThrow();
  }
}
