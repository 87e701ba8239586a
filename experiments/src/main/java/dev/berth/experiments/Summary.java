package dev.berth.experiments;

import dev.berth.experiments.bound.ClairvoyantSchedule;
import dev.berth.experiments.bound.FluidBound;
import dev.berth.simulator.ClassResult;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import dev.berth.simulator.metrics.RunMetrics;
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
import java.util.function.ToDoubleFunction;

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

    /** Creates a group without a bound. */
    public Group(
        String infrastructure,
        double scale,
        int cases,
        List<String> classNames,
        List<Row> rows,
        Map<Contention, Long> intervals) {
      this(infrastructure, scale, cases, classNames, rows, intervals, Optional.empty());
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
   * @param classes the bounds of the service classes, most important first
   * @param incomparable labels of policies that rejected or cancelled requests, which the bound
   *     does not cover
   * @param reached what a clairvoyant schedule reaches, if each case has one
   */
  public record Bound(
      Optional<String> obstacle,
      Sample penalty,
      List<ClassBound> classes,
      Set<String> incomparable,
      Optional<Reached> reached) {

    /** Copies the collections. */
    public Bound {
      classes = List.copyOf(classes);
      incomparable = Set.copyOf(incomparable);
    }

    /** Creates a bound without a clairvoyant schedule. */
    public Bound(
        Optional<String> obstacle,
        Sample penalty,
        List<ClassBound> classes,
        Set<String> incomparable) {
      this(obstacle, penalty, classes, incomparable, Optional.empty());
    }

    /** Returns the bound of a service class; empty if it had no requests. */
    public Optional<ClassBound> ofClass(String serviceClass) {
      return classes.stream().filter(each -> each.name().equals(serviceClass)).findFirst();
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
      return classes.stream().filter(each -> each.name().equals(serviceClass)).findFirst();
    }
  }

  /**
   * The bound of a service class, if more important classes get what they need to meet their
   * objectives.
   *
   * @param name of the class
   * @param shortfall the least {@link ClassFigures#shortfall shortfall}
   * @param fulfilment the greatest share of the requests that meet their objective
   */
  public record ClassBound(String name, Sample shortfall, Sample fulfilment) {}

  /**
   * The figures of one policy in a group. Samples have a value for each case that did not fail.
   *
   * @param policy the policy
   * @param failed number of cases in which it failed
   * @param classes what each service class got, most important first
   * @param requests number of requests admitted
   * @param completed number of requests whose work was done
   * @param penalty penalties for missed objectives, in core-hours
   * @param penaltyTotal the same, summed over the cases
   * @param preemptions number of preemptions
   * @param waiting mean time not in service, in seconds
   * @param pending mean number of pending requests
   * @param restartOverhead time spent on restarts after preemptions, in hours
   * @param lostWork time on hosts that preemptions cost, in hours
   * @param used mean share of the hosts that was granted, by dimension
   * @param active availability of active requests in intervals of each contention
   */
  public record Row(
      ComparedPolicy policy,
      int failed,
      List<ClassFigures> classes,
      Sample requests,
      Sample completed,
      Sample penalty,
      double penaltyTotal,
      Sample preemptions,
      Sample waiting,
      Sample pending,
      Sample restartOverhead,
      Sample lostWork,
      Map<String, Sample> used,
      Map<Contention, List<ActiveFigures>> active) {

    /** Copies the collections. */
    public Row {
      classes = List.copyOf(classes);
    }

    /** Returns the figures of a service class; empty if it had no requests. */
    public Optional<ClassFigures> figures(String serviceClass) {
      return classes.stream().filter(each -> each.name().equals(serviceClass)).findFirst();
    }
  }

  /**
   * The figures of a service class.
   *
   * @param name of the class
   * @param slo its objective
   * @param fulfilment share of the requests that meet their objective
   * @param mean mean availability
   * @param min smallest availability
   * @param deficit mean deficit of the requests that miss it, over the cases with such requests
   * @param shortfall mean over all requests of what their availability lacks to the objective; 0
   *     for those that meet it
   * @param neverRan requests that were never ready
   */
  public record ClassFigures(
      String name,
      double slo,
      Sample fulfilment,
      Sample mean,
      Sample min,
      Sample deficit,
      Sample shortfall,
      Sample neverRan) {}

  /**
   * Availability of the active requests of a class in intervals of one contention (figure 9).
   *
   * @param name of the class
   * @param min smallest availability, interval by interval
   * @param gini inequality of availabilities, interval by interval
   * @param fulfilment share of the requests that currently meet their objective, interval by
   *     interval
   * @param minBySeed means of {@code min}, seed by seed
   */
  public record ActiveFigures(
      String name, Sample min, Sample gini, Sample fulfilment, Sample minBySeed) {}

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
    Map<List<Object>, List<CellResult>> byGroup = new LinkedHashMap<>();
    for (CellResult each : results) {
      Case setting = each.cell().setting();
      byGroup
          .computeIfAbsent(
              List.of(setting.infrastructure(), setting.scale()), key -> new ArrayList<>())
          .add(each);
    }
    List<Group> groups = new ArrayList<>();
    byGroup
        .values()
        .forEach(each -> groups.add(new GroupSummary(experiment, each).group(bound.apply(each))));
    return new Summary(groups);
  }

  /**
   * Returns the share by which the penalties of one policy exceed those of another; empty if the
   * other has none.
   */
  public static Optional<Double> excess(Row of, Row over) {
    return over.penaltyTotal() == 0
        ? Optional.empty()
        : Optional.of((of.penaltyTotal() - over.penaltyTotal()) / over.penaltyTotal());
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
            Sample.of(List.of()),
            List.of(),
            incomparable);
      }
      Map<String, List<FluidBound.ClassBound>> byName = new TreeMap<>(mostImportantFirst);
      for (FluidBound each : found) {
        for (FluidBound.ClassBound its : each.classes()) {
          byName.computeIfAbsent(its.name(), name -> new ArrayList<>()).add(its);
        }
      }
      List<ClassBound> classes = new ArrayList<>();
      byName.forEach(
          (name, its) ->
              classes.add(
                  new ClassBound(
                      name,
                      Sample.of(its, FluidBound.ClassBound::shortfall),
                      Sample.of(its, FluidBound.ClassBound::fulfilment))));
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
      return new Row(
          policy,
          its.size() - runs.size(),
          classes(runs.stream().map(RunMetrics::result).toList()),
          Sample.of(runs, run -> run.result().arrivals()),
          Sample.of(runs, run -> run.result().completed()),
          Sample.of(runs, run -> run.result().penalty()),
          runs.stream().mapToDouble(run -> run.result().penalty()).sum(),
          Sample.of(runs, run -> run.result().preemptions()),
          Sample.ofDefined(runs, run -> run.result().waitingMean()),
          Sample.of(runs, RunMetrics::meanPending),
          Sample.of(runs, run -> run.result().restartOverhead() / 3600),
          Sample.of(runs, run -> run.result().lostWork() / 3600),
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
      List<ClassFigures> figures = new ArrayList<>();
      byName.forEach((name, got) -> figures.add(classFigures(name, got)));
      figures.sort(Comparator.comparing(ClassFigures::name, mostImportantFirst));
      return figures;
    }

    private static ClassFigures classFigures(String name, List<ClassResult> got) {
      return new ClassFigures(
          name,
          got.get(0).slo(),
          Sample.of(got, each -> each.fulfilment().orElseThrow()),
          Sample.of(got, each -> each.mean().orElseThrow()),
          Sample.of(got, each -> each.min().orElseThrow()),
          Sample.of(
              got.stream().filter(each -> each.meanDeficit().isPresent()).toList(),
              each -> each.meanDeficit().orElseThrow()),
          Sample.of(got, GroupSummary::shortfall),
          Sample.of(got, ClassResult::neverRan));
    }

    private static double shortfall(ClassResult got) {
      return got.meanDeficit().orElse(0) * (1 - got.fulfilment().orElseThrow());
    }

    /** Figures of the intervals of each contention, class by class. */
    private Map<Contention, List<ActiveFigures>> active(List<CellResult> its) {
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
      Map<Contention, List<ActiveFigures>> figures = new EnumMap<>(Contention.class);
      seen.forEach(
          (level, byClass) -> {
            List<ActiveFigures> ofLevel = new ArrayList<>();
            byClass.forEach((name, all) -> ofLevel.add(activeFigures(name, all)));
            ofLevel.sort(Comparator.comparing(ActiveFigures::name, mostImportantFirst));
            figures.put(level, ofLevel);
          });
      return figures;
    }

    private record Seen(long seed, ClassInterval figures) {}

    private static ActiveFigures activeFigures(String name, List<Seen> all) {
      ToDoubleFunction<Seen> min = each -> each.figures().min().orElseThrow();
      Map<Long, List<Seen>> bySeed = new TreeMap<>();
      all.forEach(each -> bySeed.computeIfAbsent(each.seed(), seed -> new ArrayList<>()).add(each));
      return new ActiveFigures(
          name,
          Sample.of(all, min),
          Sample.of(all, each -> each.figures().gini().orElseThrow()),
          Sample.of(all, each -> each.figures().fulfilment().orElseThrow()),
          Sample.of(List.copyOf(bySeed.values()), each -> Sample.of(each, min).mean()));
    }
  }
}
