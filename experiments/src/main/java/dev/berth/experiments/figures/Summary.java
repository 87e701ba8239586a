package dev.berth.experiments.figures;

import com.google.common.primitives.ImmutableDoubleArray;
import dev.berth.experiments.bound.ClairvoyantSchedule;
import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.Scenario;
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
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The summary of an experiment: figures of each policy over all cases with the same hosts and
 * settings, with 95 % confidence intervals.
 *
 * @param groups one for each infrastructure, scale, watchdog and margin, in the order of the axes
 */
public record Summary(List<Group> groups) {

  /** Copies the list. */
  public Summary {
    groups = List.copyOf(groups);
  }

  /**
   * The cases with the same hosts, scale, watchdog and margin.
   *
   * @param first the first of them
   * @param cases number of cases: workloads times seeds
   * @param classNames names of the service classes with requests, most important first
   * @param rows one for each policy
   * @param intervals number of intervals with each contention; empty without a reference
   * @param bound what any policy can at best achieve; empty if it was not computed
   */
  public record Group(
      Case first,
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

    /** Returns the name of the hosts in tables. */
    public String infrastructure() {
      return first.infrastructure();
    }

    /** Returns their share of the full capacity. */
    public double scale() {
      return first.scale();
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

  /**
   * Sums up, without the bounds of groups. Reads each result once.
   *
   * @param results in the order of the experiment: those of a case follow each other
   */
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
            Optional.of(group.bound(scenario -> bounds.computeIfAbsent(scenario, FluidBound::of))));
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
      Function<GroupSummary, Optional<Bound>> bound) {
    Map<List<Object>, GroupSummary> groups = new LinkedHashMap<>();
    int to;
    for (int from = 0; from < results.size(); from = to) {
      Case setting = results.get(from).cell().setting();
      to = from + 1;
      while (to < results.size() && results.get(to).cell().setting().number() == setting.number()) {
        to++;
      }
      groups
          .computeIfAbsent(setting.group(), its -> new GroupSummary(experiment, setting))
          .add(setting, results.subList(from, to));
    }
    return new Summary(
        groups.values().stream().map(each -> each.group(bound.apply(each))).toList());
  }

  /**
   * Returns the share by which the penalties of one policy exceed those of another; empty if the
   * other has none.
   */
  public static Optional<Double> excess(Row of, Row over) {
    double less = over.get(Totals.PENALTY).sum();
    return less == 0 ? Optional.empty() : Optional.of((of.get(Totals.PENALTY).sum() - less) / less);
  }

  /** Adds up the cases on the same hosts. Holds figures alone, and the measurements of one case. */
  private static final class GroupSummary {

    private final Experiment experiment;
    private final Case first;
    private final Comparator<String> mostImportantFirst;
    private final Map<Integer, RunSettings> cases = new TreeMap<>();
    private final Map<String, RowSummary> rows = new LinkedHashMap<>(); // by label
    private final Map<Contention, Long> intervals = new EnumMap<>(Contention.class);
    private final Set<String> incomparable = new HashSet<>();

    GroupSummary(Experiment experiment, Case first) {
      this.experiment = experiment;
      this.first = first;
      this.mostImportantFirst = experiment.mostImportantFirst();
      experiment.policies().forEach(each -> rows.put(each.label(), new RowSummary(each)));
    }

    /** Adds the results of a case. */
    void add(Case setting, List<CellResult> results) {
      cases.put(setting.number(), setting.settings());
      Map<String, RunMetrics> runs = new LinkedHashMap<>();
      for (CellResult each : results) {
        String label = each.policy().label();
        each.metrics().ifPresentOrElse(run -> runs.put(label, run), () -> row(label).addFailure());
      }
      Optional<RunMetrics> reference = experiment.reference().map(runs::get);
      List<Contention> levels =
          reference
              .map(run -> run.intervals().stream().map(Contention::of).toList())
              .orElse(List.of());
      levels.forEach(level -> intervals.merge(level, 1L, Long::sum));
      runs.forEach(
          (label, run) -> {
            row(label).add(run, levels, setting.seed());
            if (run.result().refused() + run.result().cancelled() > 0) {
              incomparable.add(label);
            }
          });
    }

    private RowSummary row(String label) {
      return Objects.requireNonNull(rows.get(label));
    }

    /** Returns the bound of the cases. */
    Bound bound(Function<Scenario, FluidBound> bounds) {
      List<FluidBound> all =
          cases.values().stream().map(each -> bounds.apply(each.scenario())).toList();
      Optional<String> obstacle =
          all.stream().flatMap(each -> each.obstacle().stream()).findFirst();
      if (obstacle.isPresent()) {
        return new Bound(obstacle, Sample.NONE, List.of(), incomparable, Optional.empty());
      }
      Map<String, List<FluidBound.ClassBound>> byName = new TreeMap<>(mostImportantFirst);
      for (FluidBound each : all) {
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
          Sample.of(all, each -> each.penalty().orElseThrow()),
          classes,
          incomparable,
          reached());
    }

    /** Runs a clairvoyant schedule in each case; empty if a case has none. */
    private Optional<Reached> reached() {
      List<RunResult> runs = new ArrayList<>();
      for (RunSettings each : cases.values()) {
        ClairvoyantSchedule schedule = ClairvoyantSchedule.of(each.scenario());
        if (schedule.obstacle().isPresent() || !each.isReliable()) {
          return Optional.empty();
        }
        runs.add(schedule.simulate(each::simulation));
      }
      ClassValues classes = new ClassValues();
      runs.forEach(classes::add);
      return Optional.of(
          new Reached(Sample.of(runs, RunResult::penalty), classes.figures(mostImportantFirst)));
    }

    Group group(Optional<Bound> bound) {
      List<Row> all = rows.values().stream().map(each -> each.row(mostImportantFirst)).toList();
      return new Group(
          first,
          cases.size(),
          all.stream()
              .flatMap(each -> each.classes().stream())
              .map(ClassFigures::name)
              .distinct()
              .sorted(mostImportantFirst)
              .toList(),
          all,
          intervals,
          bound);
    }
  }

  /** Adds up the runs of one policy. */
  private static final class RowSummary {

    private final ComparedPolicy policy;
    private int failed;
    private final ClassValues classes = new ClassValues();
    private final Values<Figure<RunMetrics>> totals = new Values<>();
    private final Values<String> used = new Values<>();
    private final Map<Contention, Map<String, Active>> active = new EnumMap<>(Contention.class);

    RowSummary(ComparedPolicy policy) {
      this.policy = policy;
    }

    void addFailure() {
      failed++;
    }

    void add(RunMetrics run, List<Contention> levels, long seed) {
      classes.add(run.result());
      Totals.ALL.forEach(each -> totals.add(each, each.of(run)));
      run.dimensions().forEach(each -> used.add(each.dimension(), each.granted()));
      // Runs of one case may end at different times: only intervals that both have are compared.
      int both = Math.min(levels.size(), run.intervals().size());
      for (int i = 0; i < both; i++) {
        for (ClassInterval each : run.intervals().get(i).classes()) {
          if (each.active() > 0) {
            active
                .computeIfAbsent(levels.get(i), level -> new LinkedHashMap<>())
                .computeIfAbsent(each.name(), name -> new Active())
                .add(each, seed);
          }
        }
      }
    }

    Row row(Comparator<String> mostImportantFirst) {
      Map<Contention, List<ClassFigures>> figures = new EnumMap<>(Contention.class);
      active.forEach(
          (level, byClass) -> {
            List<ClassFigures> ofLevel = new ArrayList<>();
            byClass.forEach((name, all) -> ofLevel.add(all.figures(name)));
            ofLevel.sort(Comparator.comparing(ClassFigures::name, mostImportantFirst));
            figures.put(level, ofLevel);
          });
      return new Row(
          policy,
          failed,
          classes.figures(mostImportantFirst),
          totals.samples(),
          used.samples(),
          figures);
    }
  }

  /** The values of several figures, in the order of the first ones. */
  private static final class Values<K> {

    private final Map<K, ImmutableDoubleArray.Builder> byFigure = new LinkedHashMap<>();

    void add(K figure, OptionalDouble value) {
      ImmutableDoubleArray.Builder all =
          byFigure.computeIfAbsent(figure, key -> ImmutableDoubleArray.builder());
      value.ifPresent(all::add);
    }

    /** Returns the samples. Keeps none of them: there are many values, and not twice. */
    Map<K, Sample> samples() {
      Map<K, Sample> samples = new LinkedHashMap<>();
      for (K each : List.copyOf(byFigure.keySet())) {
        samples.put(each, sample(Objects.requireNonNull(byFigure.remove(each))));
      }
      return samples;
    }

    static Sample sample(ImmutableDoubleArray.Builder values) {
      return new Sample(values.build().asList());
    }
  }

  /** The figures of the classes that have requests. */
  private static final class ClassValues {

    private final Map<String, Values<Figure<ClassResult>>> byName = new LinkedHashMap<>();

    void add(RunResult run) {
      for (ClassResult got : run.classes()) {
        if (got.count() > 0) {
          Values<Figure<ClassResult>> its =
              byName.computeIfAbsent(got.name(), name -> new Values<>());
          ClassFigures.OF_RUNS.forEach(each -> its.add(each, each.of(got)));
        }
      }
    }

    List<ClassFigures> figures(Comparator<String> mostImportantFirst) {
      List<ClassFigures> classes = new ArrayList<>();
      byName.forEach((name, its) -> classes.add(new ClassFigures(name, its.samples())));
      classes.sort(Comparator.comparing(ClassFigures::name, mostImportantFirst));
      return classes;
    }
  }

  /** The figures of one class in the intervals of one contention. */
  private static final class Active {

    private final Values<Figure<ClassResult>> values = new Values<>();
    private final Map<Long, ImmutableDoubleArray.Builder> minBySeed = new TreeMap<>();

    void add(ClassInterval got, long seed) {
      values.add(ClassFigures.MIN, got.min());
      values.add(ClassFigures.GINI, got.gini());
      values.add(ClassFigures.FULFILMENT, got.fulfilment());
      ImmutableDoubleArray.Builder its =
          minBySeed.computeIfAbsent(seed, each -> ImmutableDoubleArray.builder(1)); // often all
      got.min().ifPresent(its::add);
    }

    ClassFigures figures(String name) {
      Map<Figure<ClassResult>, Sample> all = values.samples();
      all.put(
          ClassFigures.MIN_BY_SEED,
          Sample.of(List.copyOf(minBySeed.values()), each -> Values.sample(each).mean()));
      return new ClassFigures(name, all);
    }
  }
}
