package dev.berth.experiments.studies.metascheduling;

import dev.berth.experiments.bound.ClairvoyantAssignment;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.scenario.MetaschedulingScenarios;
import dev.berth.experiments.scenario.MetaschedulingScenarios.Grid;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.workload.ArrivalSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All runs of the study of metascheduling, and their figures. */
final class MetaRuns {

  /** The policies of the paper. */
  static final List<String> PAPER =
      List.of("random", "cpu-load", "lottery", "lottery-with-load", "wall-time-estimated");

  /** All policies that are run. */
  static final List<String> POLICIES =
      List.of(
          "random",
          "cpu-load",
          "lottery",
          "lottery-with-load",
          "wall-time-estimated",
          "power-of-two-choices");

  /** An assignment found with full knowledge of all jobs. */
  static final String FOUND = "clairvoyant";

  /** A bound that no assignment beats. */
  static final String BOUND = "lower-bound";

  /** The arrival modes of the paper. */
  static final List<Mode> PUBLISHED = List.of(Mode.AT_ONCE, Mode.SPACED);

  private static final double SECOND = 1e9;

  /** How the jobs arrive. */
  enum Mode {
    /** All at once, decided one after another, each decision as long as the slowest (table 2). */
    AT_ONCE("all at once", Duration.ofMillis(831), true),
    /** One each 20 s. */
    SPACED("every 20 s", Duration.ofSeconds(20), true),
    /** All at the same instant. */
    INSTANT("one instant", Duration.ZERO, true),
    /** As the first; no site has run the application before. */
    COLD_AT_ONCE("all at once, cold", Duration.ofMillis(831), false),
    /** As the second; no site has run the application before. */
    COLD_SPACED("every 20 s, cold", Duration.ofSeconds(20), false);

    private final String label;
    private final Duration interval;
    private final boolean warm;

    Mode(String label, Duration interval, boolean warm) {
      this.label = label;
      this.interval = interval;
      this.warm = warm;
    }

    Scenario scenario(Grid grid, long seed) {
      return warm
          ? MetaschedulingScenarios.of(grid, interval, seed)
          : MetaschedulingScenarios.cold(grid, interval, seed);
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /** The runs that differ in their seed only. */
  private record Subject(Mode mode, Grid grid, String policy) {}

  private record Times(List<Double> means, List<Double> deviations) {}

  private final Map<Subject, Times> all = new LinkedHashMap<>();
  private final CsvText series =
      new CsvText("meta-all-runs", "mode", "scenario", "policy", "seed", "mean_s", "deviation_s");
  private final int seeds;

  private MetaRuns(int seeds) {
    this.seeds = seeds;
  }

  /** Runs every policy in every mode and scenario, with several seeds. */
  static MetaRuns of(Study.Setting setting, int seeds) {
    MetaRuns all = new MetaRuns(seeds);
    for (Mode mode : Mode.values()) {
      for (Grid grid : Grid.values()) {
        StudyRuns runs =
            StudyRuns.of(
                POLICIES.stream().map(PolicySpec::of).toList(),
                seeds,
                setting,
                (policy, seed) ->
                    StudyRun.of(
                        policy.resolve(setting.registry()),
                        scheduler ->
                            Simulation.builder()
                                .scheduler(scheduler)
                                .scenario(mode.scenario(grid, seed))
                                .executionModel(MetaschedulingScenarios.SHARING)
                                .seed(seed)));
        for (int i = 0; i < seeds; i++) {
          long seed = setting.seed() + i;
          for (String policy : POLICIES) {
            all.note(mode, grid, policy, seed, seconds(runs.runs(policy).get(i)));
          }
          if (mode.warm) {
            all.noteBounds(mode, grid, seed);
          }
        }
      }
    }
    return all;
  }

  private void noteBounds(Mode mode, Grid grid, long seed) {
    List<ClairvoyantAssignment.Job> jobs = jobs(mode.scenario(grid, seed));
    List<ClairvoyantAssignment.Site> sites =
        grid.slowness().stream().map(each -> new ClairvoyantAssignment.Site(1, each)).toList();
    List<Double> times = ClairvoyantAssignment.search(jobs, sites).times();
    note(mode, grid, FOUND, seed, Sample.of(times.stream().map(each -> each / SECOND).toList()));
    times(mode, grid, BOUND).means.add(ClairvoyantAssignment.lowerBound(jobs, sites) / SECOND);
    series.row(mode, grid, BOUND, seed, last(times(mode, grid, BOUND).means), Numbers.ABSENT);
  }

  private void note(Mode mode, Grid grid, String policy, long seed, Sample seconds) {
    Times times = times(mode, grid, policy);
    times.means.add(seconds.mean());
    times.deviations.add(seconds.deviation());
    series.row(mode, grid, policy, seed, last(times.means), last(times.deviations));
  }

  private static Double last(List<Double> values) {
    return values.get(values.size() - 1);
  }

  private Times times(Mode mode, Grid grid, String policy) {
    return all.computeIfAbsent(
        new Subject(mode, grid, policy), each -> new Times(new ArrayList<>(), new ArrayList<>()));
  }

  /** Returns the execution times of the jobs in seconds, from being ready to the end. */
  private static Sample seconds(StudyRun run) {
    List<Double> seconds =
        run.outcomes().stream()
            .filter(each -> MetaschedulingScenarios.isJob(each.request()) && each.completed())
            .map(each -> StudyRun.runNanos(each) / SECOND)
            .toList();
    if (seconds.size() != MetaschedulingScenarios.JOBS) {
      throw new IllegalStateException(
          "%s of %s jobs completed.".formatted(seconds.size(), MetaschedulingScenarios.JOBS));
    }
    return Sample.of(seconds);
  }

  private static List<ClairvoyantAssignment.Job> jobs(Scenario scenario) {
    List<ClairvoyantAssignment.Job> jobs = new ArrayList<>();
    try (ArrivalSource source = scenario.workload().open()) {
      source.forEachRemaining(
          each -> {
            if (MetaschedulingScenarios.isJob(each.request())) {
              jobs.add(new ClairvoyantAssignment.Job(each.at(), each.serviceTime()));
            }
          });
    }
    return jobs;
  }

  // ---- Figures, in seconds, by seed

  /** Returns the number of seeds. */
  int seeds() {
    return seeds;
  }

  /** Returns the mean execution times of the runs. */
  Sample means(Mode mode, Grid grid, String policy) {
    return Sample.of(times(mode, grid, policy).means);
  }

  /** Returns the standard deviations of the execution times within each run; empty for a bound. */
  Sample deviations(Mode mode, Grid grid, String policy) {
    return Sample.of(times(mode, grid, policy).deviations);
  }

  /** Returns the mean execution times over all scenarios, with equal weights. */
  Sample overall(Mode mode, String policy) {
    List<Double> sums = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      double sum = 0;
      for (Grid grid : Grid.values()) {
        sum += times(mode, grid, policy).means.get(i);
      }
      sums.add(sum / Grid.values().length);
    }
    return Sample.of(sums);
  }

  /** Returns the figures of every run. */
  CsvText runs() {
    return series;
  }

  /** Returns the figures of all runs that differ in their seed only. */
  CsvText figures() {
    CsvText figures =
        new CsvText(
            "meta-all-figures",
            "mode",
            "scenario",
            "policy",
            "runs",
            "mean_s",
            "mean_ci_s",
            "deviation_s",
            "deviation_ci_s");
    all.forEach(
        (subject, times) -> {
          Sample means = Sample.of(times.means);
          Sample deviations = Sample.of(times.deviations);
          boolean isBound = times.deviations.isEmpty();
          figures.row(
              subject.mode,
              subject.grid,
              subject.policy,
              times.means.size(),
              means.mean(),
              means.halfWidth().orElseThrow(),
              isBound ? Numbers.ABSENT : deviations.mean(),
              isBound ? Numbers.ABSENT : deviations.halfWidth().orElseThrow());
        });
    return figures;
  }
}
