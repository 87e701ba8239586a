package dev.berth.experiments.figures;

import dev.berth.experiments.bound.ClairvoyantSchedule;
import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The summary of an experiment: figures of each policy over all cases with the same hosts and
 * scale, with 95 % confidence intervals.
 *
 * @param groups one for each infrastructure and scale, in the order of the axes
 */
public record Summary(List<Group> groups) {

  /** Copies the list. */
  public Summary {
    groups = List.copyOf(groups);
  }

  /**
   * The cases with the same hosts and scale.
   *
   * @param infrastructure name of the hosts in tables
   * @param scale their share of the full capacity
   * @param cases number of cases: workloads times seeds
   * @param classNames names of the service classes with requests, most important first
   * @param rows one for each policy
   * @param intervals number of intervals with each contention; empty without a reference
   * @param bound what any policy can at best achieve; empty if it was not computed
   */
  public record Group(
      String infrastructure,
      double scale,
      int cases,
      List<String> classNames,
      List<Row> rows,
      Map<Contention, Long> intervals,
      Optional<Bound> bound) {

    /** Copies the collections. */
    public Group {
      classNames = List.copyOf(classNames);
      rows = List.copyOf(rows);
      intervals = Map.copyOf(intervals);
    }

    /** Returns the row of a policy. */
    public Row row(String label) {
      return rows.stream()
          .filter(each -> each.policy().label().equals(label))
          .findFirst()
          .orElseThrow();
    }
  }

  /**
   * What any policy can at best achieve in a group, by the {@code FluidBound} of each case. Samples
   * have a value for each case.
   *
   * @param obstacle why there is none, a clause without a period; empty if there is one
   * @param penalty the least penalty, in core-hours
   * @param classes the bounds of the service classes, most important first: the least shortfall and
   *     the greatest fulfilment, if more important classes get what they need to meet their
   *     objectives
   * @param incomparable labels of policies that rejected or cancelled requests, which the bound
   *     does not cover
   * @param reached what a clairvoyant schedule reaches, if each case has one
   */
  public record Bound(
      Optional<String> obstacle,
      Sample penalty,
      List<ClassFigures> classes,
      Set<String> incomparable,
      Optional<Reached> reached) {

    /** Copies the collections. */
    public Bound {
      classes = List.copyOf(classes);
      incomparable = Set.copyOf(incomparable);
    }

    /** Returns the bound of a service class; empty if it had no requests. */
    public Optional<ClassFigures> ofClass(String serviceClass) {
      return ClassFigures.find(classes, serviceClass);
    }
  }

  /**
   * What a {@code ClairvoyantSchedule} reaches in a group. Samples have a value for each case.
   *
   * @param penalty its penalty, in core-hours
   * @param classes what each service class gets, most important first
   */
  public record Reached(Sample penalty, List<ClassFigures> classes) {

    /** Copies the list. */
    public Reached {
      classes = List.copyOf(classes);
    }

    /** Returns the figures of a service class; empty if it had no requests. */
    public Optional<ClassFigures> ofClass(String serviceClass) {
      return ClassFigures.find(classes, serviceClass);
    }
  }

  /**
   * The figures of one policy in a group. Samples have a value for each case that did not fail.
   *
   * @param policy the policy
   * @param failed number of cases in which it failed
   * @param classes what each service class got, most important first
   * @param totals the figures of whole runs
   * @param used mean share of the hosts that was granted, by dimension
   * @param active availability of active requests in intervals of each contention (figure 9), class
   *     by class and interval by interval
   */
  public record Row(
      ComparedPolicy policy,
      int failed,
      List<ClassFigures> classes,
      Map<Figure<RunMetrics>, Sample> totals,
      Map<String, Sample> used,
      Map<Contention, List<ClassFigures>> active) {

    /** Copies the collections. */
    public Row {
      classes = List.copyOf(classes);
      totals = Map.copyOf(totals);
    }

    /**
     * Returns whether the policy is better than another, case by case and beyond chance. False if
     * one of them failed in a case, for then the cases do not pair.
     */
    public boolean beats(Row other, Function<Row, Sample> figure, boolean moreIsBetter) {
      Sample its = figure.apply(this);
      Sample others = figure.apply(other);
      if (failed + other.failed() > 0 || its.size() != others.size()) {
        return false;
      }
      return moreIsBetter ? others.minus(its).isBelowZero() : its.minus(others).isBelowZero();
    }

    /** Returns the values of a figure of whole runs. */
    public Sample get(Figure<RunMetrics> figure) {
      return totals.getOrDefault(figure, Sample.NONE);
    }

    /** Returns the values of a figure of a service class. */
    public Sample get(String serviceClass, Figure<ClassResult> figure) {
      return ClassFigures.find(classes, serviceClass)
          .map(each -> each.get(figure))
          .orElse(Sample.NONE);
    }

    /** Returns the values of a figure of a service class in intervals of a contention. */
    public Sample get(Contention level, String serviceClass, Figure<ClassResult> figure) {
      return ClassFigures.find(active.getOrDefault(level, List.of()), serviceClass)
          .map(each -> each.get(figure))
          .orElse(Sample.NONE);
    }
  }

  /** Sums up, without the bounds of groups. */
  public static Summary of(Experiment experiment, List<CellResult> results) {
    return of(experiment, results, each -> Optional.empty());
  }

  /**
   * Sums up, with the bounds of groups if the experiment has runs that are bounds. Reads each
   * workload once more.
   */
  public static Summary withBounds(Experiment experiment, List<CellResult> results) {
    if (experiment.policies().stream()
        .allMatch(each -> each.role() == ComparedPolicy.Role.POLICY)) {
      return of(experiment, results);
    }
    Map<Scenario, FluidBound> bounds = new HashMap<>(); // cases may differ in the seed only
    return of(
        experiment,
        results,
        group ->
            Optional.of(
                new GroupSummary(experiment, group)
                    .bound(scenario -> bounds.computeIfAbsent(scenario, FluidBound::of))));
  }

  /** Returns whether a group has a clairvoyant schedule. */
  public boolean hasClairvoyant() {
    return groups.stream()
        .flatMap(each -> each.bound().stream())
        .anyMatch(each -> each.reached().isPresent());
  }

  /** Returns whether requests met objectives that they did not reach, since they could not. */
  public boolean hasUnreached() {
    return groups.stream()
        .flatMap(each -> each.rows().stream())
        .flatMap(each -> each.classes().stream())
        .anyMatch(each -> each.mean(ClassFigures.MET) > each.mean(ClassFigures.FULFILMENT));
  }

  /** Returns whether a group has a bound. */
  public boolean hasBounds() {
    return groups.stream()
        .flatMap(each -> each.bound().stream())
        .anyMatch(each -> each.obstacle().isEmpty());
  }

  private static Summary of(
      Experiment experiment,
      List<CellResult> results,
      Function<List<CellResult>, Optional<Bound>> bound) {
    List<Group> groups = new ArrayList<>();
    results.stream()
        .collect(
            Collectors.groupingBy(
                each -> each.cell().setting().hosts(), LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(each -> groups.add(new GroupSummary(experiment, each).group(bound.apply(each))));
    return new Summary(groups);
  }

  /**
   * Returns the share by which the penalties of one policy exceed those of another; empty if the
   * other has none.
   */
  public static Optional<Double> excess(Row of, Row over) {
    double less = over.get(Totals.PENALTY).sum();
    return less == 0 ? Optional.empty() : Optional.of((of.get(Totals.PENALTY).sum() - less) / less);
  }

  private static final class GroupSummary {

    private final Experiment experiment;
    private final List<CellResult> results;
    private final Map<Integer, List<Contention>> contention = new HashMap<>(); // by case
    private final Map<Contention, Long> intervals = new EnumMap<>(Contention.class);
    private final Comparator<String> mostImportantFirst;

    GroupSummary(Experiment experiment, List<CellResult> results) {
      this.experiment = experiment;
      this.results = results;
      this.mostImportantFirst = experiment.mostImportantFirst();
      for (CellResult each : results) {
        if (experiment.reference().equals(Optional.of(each.cell().policy().label()))
            && each.outcome() instanceof RunOutcome.Finished finished) {
          List<Contention> levels =
              finished.metrics().intervals().stream().map(Contention::of).toList();
          contention.put(each.cell().setting().number(), levels);
          levels.forEach(level -> intervals.merge(level, 1L, Long::sum));
        }
      }
    }

    /** Returns the bound of the cases of a group. */
    Bound bound(Function<Scenario, FluidBound> bounds) {
      Map<Integer, FluidBound> byCase = new TreeMap<>();
      Set<String> incomparable = new HashSet<>();
      for (CellResult each : results) {
        Case setting = each.cell().setting();
        byCase.computeIfAbsent(
            setting.number(), number -> bounds.apply(setting.settings().scenario()));
        each.totals()
            .filter(run -> run.refused() + run.cancelled() > 0)
            .ifPresent(run -> incomparable.add(each.policy().label()));
      }
      List<FluidBound> found =
          byCase.values().stream().filter(each -> each.obstacle().isEmpty()).toList();
      if (found.size() < byCase.size()) {
        return new Bound(
            byCase.values().stream().flatMap(each -> each.obstacle().stream()).findFirst(),
            Sample.NONE,
            List.of(),
            incomparable,
            Optional.empty());
      }
      Map<String, List<FluidBound.ClassBound>> byName = new TreeMap<>(mostImportantFirst);
      for (FluidBound each : found) {
        for (FluidBound.ClassBound its : each.classes()) {
          byName.computeIfAbsent(its.name(), name -> new ArrayList<>()).add(its);
        }
      }
      List<ClassFigures> classes = new ArrayList<>();
      byName.forEach(
          (name, its) ->
              classes.add(
                  new ClassFigures(
                      name,
                      Map.of(
                          ClassFigures.SHORTFALL,
                          Sample.of(its, FluidBound.ClassBound::shortfall),
                          ClassFigures.FULFILMENT,
                          Sample.of(its, FluidBound.ClassBound::fulfilment),
                          ClassFigures.MET,
                          Sample.of(its, FluidBound.ClassBound::met)))));
      return new Bound(
          Optional.empty(),
          Sample.of(found, each -> each.penalty().orElseThrow()),
          classes,
          incomparable,
          reached());
    }

    /** Runs a clairvoyant schedule in each case; empty if a case has none. */
    private Optional<Reached> reached() {
      Map<Integer, RunSettings> byCase = new TreeMap<>();
      results.forEach(
          each -> byCase.put(each.cell().setting().number(), each.cell().setting().settings()));
      List<RunResult> runs = new ArrayList<>();
      for (RunSettings each : byCase.values()) {
        ClairvoyantSchedule schedule = ClairvoyantSchedule.of(each.scenario());
        if (schedule.obstacle().isPresent() || !each.isReliable()) {
          return Optional.empty();
        }
        runs.add(schedule.simulate(each::simulation));
      }
      return Optional.of(new Reached(Sample.of(runs, RunResult::penalty), classes(runs)));
    }

    Group group(Optional<Bound> bound) {
      Case first = results.get(0).cell().setting();
      List<Row> rows = experiment.policies().stream().map(this::row).toList();
      return new Group(
          first.infrastructure(),
          first.scale(),
          (int) results.stream().map(each -> each.cell().setting().number()).distinct().count(),
          rows.stream()
              .flatMap(each -> each.classes().stream())
              .map(ClassFigures::name)
              .distinct()
              .sorted(mostImportantFirst)
              .toList(),
          rows,
          intervals,
          bound);
    }

    private Row row(ComparedPolicy policy) {
      List<CellResult> its =
          results.stream()
              .filter(each -> each.cell().policy().label().equals(policy.label()))
              .toList();
      List<RunMetrics> runs = its.stream().flatMap(each -> each.metrics().stream()).toList();
      Map<String, Sample> used = new LinkedHashMap<>();
      runs.stream()
          .flatMap(each -> each.dimensions().stream())
          .map(DimensionUsage::dimension)
          .distinct()
          .forEach(each -> used.put(each, Sample.ofDefined(runs, run -> used(run, each))));
      Map<Figure<RunMetrics>, Sample> totals = new HashMap<>();
      Totals.ALL.forEach(each -> totals.put(each, each.over(runs)));
      return new Row(
          policy,
          its.size() - runs.size(),
          classes(runs.stream().map(RunMetrics::result).toList()),
          totals,
          used,
          active(its));
    }

    private static OptionalDouble used(RunMetrics run, String dimension) {
      return run.dimensions().stream()
          .filter(each -> each.dimension().equals(dimension))
          .findFirst()
          .map(DimensionUsage::granted)
          .orElse(OptionalDouble.empty());
    }

    private List<ClassFigures> classes(List<RunResult> runs) {
      Map<String, List<ClassResult>> byName = new LinkedHashMap<>();
      for (RunResult run : runs) {
        for (ClassResult each : run.classes()) {
          if (each.count() > 0) {
            byName.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each);
          }
        }
      }
      return byName.values().stream()
          .map(ClassFigures::of)
          .sorted(Comparator.comparing(ClassFigures::name, mostImportantFirst))
          .toList();
    }

    /** Figures of the intervals of each contention, class by class. */
    private Map<Contention, List<ClassFigures>> active(List<CellResult> its) {
      Map<Contention, Map<String, List<Seen>>> seen = new EnumMap<>(Contention.class);
      for (CellResult result : its) {
        Case setting = result.cell().setting();
        List<IntervalMetrics> measured =
            result.metrics().map(RunMetrics::intervals).orElse(List.of());
        List<Contention> levels = contention.getOrDefault(setting.number(), List.of());
        // Runs of one case may end at different times: only intervals that both have are compared.
        int both = Math.min(levels.size(), measured.size());
        for (int i = 0; i < both; i++) {
          for (ClassInterval each : measured.get(i).classes()) {
            if (each.active() > 0) {
              seen.computeIfAbsent(levels.get(i), level -> new LinkedHashMap<>())
                  .computeIfAbsent(each.name(), name -> new ArrayList<>())
                  .add(new Seen(setting.seed(), each));
            }
          }
        }
      }
      Map<Contention, List<ClassFigures>> figures = new EnumMap<>(Contention.class);
      seen.forEach(
          (level, byClass) -> {
            List<ClassFigures> ofLevel = new ArrayList<>();
            byClass.forEach((name, all) -> ofLevel.add(activeFigures(name, all)));
            ofLevel.sort(Comparator.comparing(ClassFigures::name, mostImportantFirst));
            figures.put(level, ofLevel);
          });
      return figures;
    }

    private record Seen(long seed, ClassInterval figures) {}

    private static ClassFigures activeFigures(String name, List<Seen> all) {
      Map<Long, List<Seen>> bySeed = new TreeMap<>();
      all.forEach(each -> bySeed.computeIfAbsent(each.seed(), seed -> new ArrayList<>()).add(each));
      return new ClassFigures(
          name,
          Map.of(
              ClassFigures.MIN,
              Sample.ofDefined(all, each -> each.figures().min()),
              ClassFigures.GINI,
              Sample.ofDefined(all, each -> each.figures().gini()),
              ClassFigures.FULFILMENT,
              Sample.ofDefined(all, each -> each.figures().fulfilment()),
              ClassFigures.MIN_BY_SEED,
              Sample.of(
                  List.copyOf(bySeed.values()),
                  seed -> Sample.ofDefined(seed, each -> each.figures().min()).mean())));
    }
  }
}
