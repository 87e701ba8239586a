package dev.berth.experiments.studies.slo;

import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Block;
import dev.berth.report.Numbers;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.prepare.GoogleLikeMonth;
import dev.berth.traces.prepare.GoogleLikeWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The compared policies on a generated month, as {@code berth bench scale} runs it. */
public final class MonthStudy extends AbstractStudy {

  private static final double TENTH = 0.1;

  /** So that the first seed is 3, the default of {@code berth bench scale}. */
  private static final long SEEDS_BEFORE = 2;

  private static final Duration APART = Duration.ofSeconds(1);

  private final double scale;
  private final Duration until;

  /** Creates the study. */
  public MonthStudy() {
    this(TENTH, Duration.ofDays(GoogleLikeMonth.DAYS));
  }

  /** Creates the study for another share of the hosts and requests, or another time. */
  public MonthStudy(double scale, Duration until) {
    super(
        "hysteresis-month",
        "qos-hysteresis on a generated month, a tenth of the size of Google's cell (our study)");
    this.scale = scale;
    this.until = until;
  }

  @Override
  public StudyResult run(Setting setting) {
    long seed = setting.seed() + SEEDS_BEFORE;
    Map<String, List<RunResult>> results = new LinkedHashMap<>();
    for (String each : HysteresisStudy.POLICIES) {
      setting.steps().reached(each, results.size(), HysteresisStudy.POLICIES.size());
      RunSettings settings = settings(seed);
      results.put(
          each,
          List.of(
              PolicySpec.of(each)
                  .resolve(setting.registry(), settings)
                  .choice()
                  .simulate(settings::simulation, Simulation::run)));
    }
    Runs runs =
        new Runs(results, Bounds.NONE).with(List.of(FluidBound.of(settings(seed).scenario())));
    String title =
        "%s days of %s hosts, one run each (seed %s)"
            .formatted(
                until.toDays(),
                Numbers.grouped(GoogleLikeMonth.hosts(scale, seed).hosts().size()),
                seed);
    List<Block> blocks = new ArrayList<>(Tables.of(name() + "-figures", title, runs));
    blocks.add(
        Text.of(
            "Preparing a host takes 2, 2 or 3 s. Passes are at least 1 s and at most 30 s apart;"
                + " margins are 30 s."));
    blocks.add(Tables.LEGEND);
    runs.bounds()
        .obstacle()
        .ifPresent(each -> blocks.add(Text.of("There is no bound: %s.".formatted(each))));
    return new StudyResult(
        blocks, List.of(), List.of(Tables.series(name() + "-classes", Map.of("month", runs))));
  }

  private RunSettings settings(long seed) {
    Duration watchdog = RunSettings.WATCHDOG_OF_FILES;
    Scenario scenario =
        new Scenario(
            new GoogleLikeWorkload(
                GoogleLikeMonth.profile(scale),
                ServiceClasses.goldSilverBronze(watchdog),
                Long.MAX_VALUE,
                until.toNanos(),
                seed),
            GoogleLikeMonth.hosts(scale, seed),
            until,
            RunSettings.OVERHEADS_OF_FILES);
    return new RunSettings(
        scenario,
        watchdog,
        APART,
        watchdog,
        List.of(),
        seed,
        DecisionTimes.none(),
        Optional.empty());
  }
}
