package dev.berth.experiments.studies.slo;

import dev.berth.experiments.bound.ClairvoyantSchedule;
import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Series;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * {@code qos-hysteresis} beside {@code qos-driven} and {@code priority} on the validations of
 * QoS-driven scheduling, with more requests than the hosts can serve, dearer restarts and other
 * watchdogs.
 */
public final class HysteresisStudy extends AbstractStudy {

  static final String QOS_DRIVEN = "qos-driven";
  static final String PRIORITY = "priority";
  static final String HYSTERESIS = "qos-hysteresis";
  static final List<String> POLICIES = List.of(QOS_DRIVEN, PRIORITY, HYSTERESIS);

  private static final String FULFILMENT = "qos-hysteresis, fulfilment";
  private static final String CLAIRVOYANT_LEGEND =
      """
      clairvoyant: a schedule that knows all requests and the end of the run. It meets the SLO of as many requests as it can,
      the most important first, and does not try to reduce the penalties of the others.\
      """;

  private static final int OVERLOAD = 120;
  private static final int SEEDS = 20;
  private static final Duration PUBLISHED = BuiltInWorkloads.WATCHDOG;

  private final int seeds;

  /** Creates the study. */
  public HysteresisStudy() {
    this(SEEDS);
  }

  /** Creates the study with another number of seeds. */
  public HysteresisStudy(int seeds) {
    super(
        "hysteresis",
        "qos-hysteresis: preempt only where the gain pays for the restart (our policy and study)");
    this.seeds = seeds;
  }

  /**
   * A setting in which policies are compared.
   *
   * @param id in files and links
   * @param title above its table
   * @param policies the compared policies
   * @param watchdog longest time between two passes, and safety margin
   * @param scenario by seed
   */
  private record Compared(
      String id,
      String title,
      List<PolicySpec> policies,
      Duration watchdog,
      LongFunction<Scenario> scenario) {}

  private List<Compared> settings() {
    List<PolicySpec> three = POLICIES.stream().map(PolicySpec::of).toList();
    List<PolicySpec> four = new ArrayList<>(three);
    four.add(PolicySpec.of(FULFILMENT, HYSTERESIS, "{\"overload\":\"fulfilment\"}"));
    List<Compared> settings = new ArrayList<>();
    settings.add(
        new Compared(
            "validation-1",
            "validation 1: the objectives ask for exactly the 200 slots",
            three,
            PUBLISHED,
            seed -> BuiltInWorkloads.validation1(seed, PUBLISHED)));
    settings.add(
        new Compared(
            "validation-2",
            "validation 2: one class, whose objectives ask for 198.9 of the 200 slots",
            three,
            PUBLISHED,
            seed -> BuiltInWorkloads.validation2(PUBLISHED)));
    settings.add(
        new Compared(
            "overload",
            "Overload: validation 1 with 120 bronze requests, whose objectives ask for 212 of 200"
                + " slots",
            four,
            PUBLISHED,
            seed -> BuiltInWorkloads.validation1(seed, PUBLISHED, OVERLOAD)));
    for (int factor : List.of(3, 10)) {
      settings.add(
          new Compared(
              "restarts-" + factor,
              "Restarts %s times as dear: validation 1 with starts of %s on average"
                  .formatted(factor, seconds(factor)),
              three,
              PUBLISHED,
              seed -> dearer(BuiltInWorkloads.validation1(seed, PUBLISHED), factor)));
    }
    for (int each : List.of(10, 60)) {
      Duration watchdog = Duration.ofSeconds(each);
      settings.add(
          new Compared(
              "watchdog-" + each,
              "validation 1 with watchdog and margin of %s s instead of 30 s".formatted(each),
              three,
              watchdog,
              seed -> BuiltInWorkloads.validation1(seed, watchdog)));
    }
    return settings;
  }

  private static String seconds(int factor) {
    double mean = BuiltInWorkloads.publishedOverheads().mean().toNanos() / 1e9;
    return Numbers.fixed(factor * mean, 1) + " s";
  }

  private static Scenario dearer(Scenario scenario, int factor) {
    Overheads plain = scenario.overheads();
    return new Scenario(
        scenario.workload(),
        scenario.infrastructure(),
        scenario.until(),
        new Overheads(
            plain.cold().stream().map(each -> each.multipliedBy(factor)).toList(),
            plain.hot().stream().map(each -> each.multipliedBy(factor)).toList(),
            plain.crowding(),
            plain.termination()));
  }

  static RunSettings settings(Scenario scenario, Duration watchdog, long seed) {
    return new RunSettings(scenario, watchdog, watchdog, List.of(), seed);
  }

  /** Runs policies in one setting with all seeds. */
  static StudyRuns runs(
      List<PolicySpec> policies,
      Duration watchdog,
      LongFunction<Scenario> scenario,
      int seeds,
      Setting setting) {
    return StudyRuns.inSettings(
        policies, seed -> settings(scenario.apply(seed), watchdog, seed), seeds, setting);
  }

  @Override
  public StudyResult run(Setting setting) {
    List<Block> tables = new ArrayList<>();
    Map<String, Runs> all = new LinkedHashMap<>();
    for (Compared each : settings()) {
      Runs runs =
          Runs.of(runs(each.policies(), each.watchdog(), each.scenario(), seeds, setting))
              .with(ClairvoyantSchedule.NAME, clairvoyant(each, setting))
              .with(bounds(each.scenario(), setting));
      all.put(each.id(), runs);
      tables.addAll(Tables.of(name() + "-" + each.id(), each.title(), runs));
    }
    TradeOff tradeOff = TradeOff.of(seeds, setting);
    OneInstance instance = OneInstance.of(setting);
    List<Claim> claims = claims(all);
    Map<String, Runs> settings = new LinkedHashMap<>(all);
    settings.put("restart-share", tradeOff.runs());
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.ofLines(
            "Means of %s runs (seeds %s to %s) and their 95 %% confidence intervals. qos-hysteresis has its defaults:"
                .formatted(seeds, setting.seed(), setting.seed() + seeds - 1),
            "restartShare 0.0125; expectedOverhead is the mean start of the setting."));
    blocks.addAll(ClaimBlocks.of(name(), "Our targets, and whether they are met", claims));
    blocks.add(
        new Grid(
            2,
            List.of(
                bars("preemptions", "Preemptions", Figure.PREEMPTIONS, all),
                bars("penalties", "Penalties, core-hours", Figure.PENALTY, all))));
    blocks.addAll(tables);
    blocks.add(Tables.LEGEND);
    blocks.add(Tables.BOUND_LEGEND);
    blocks.add(Tables.lines(CLAIRVOYANT_LEGEND));
    blocks.addAll(tradeOff.blocks(name()));
    blocks.addAll(instance.blocks(name()));
    blocks.add(
        OnlyFor.of(
            Medium.TEXT,
            Text.ofLines(
                "Not in this study: samples of the Google trace (hysteresis-google, which needs"
                    + " that log) and a",
                "generated month (hysteresis-month).")));
    return new StudyResult(
        blocks,
        claims,
        List.of(Tables.series(name() + "-classes", settings), instance.series(name())));
  }

  private List<RunResult> clairvoyant(Compared compared, Setting setting) {
    return LongStream.range(setting.seed(), setting.seed() + seeds)
        .mapToObj(seed -> settings(compared.scenario().apply(seed), compared.watchdog(), seed))
        .map(each -> ClairvoyantSchedule.of(each.scenario()).simulate(each::simulation))
        .toList();
  }

  private List<FluidBound> bounds(LongFunction<Scenario> scenario, Setting setting) {
    return LongStream.range(setting.seed(), setting.seed() + seeds)
        .mapToObj(scenario)
        .map(FluidBound::of)
        .toList();
  }

  private Chart bars(String id, String title, Figure figure, Map<String, Runs> all) {
    List<String> settings = List.copyOf(all.keySet());
    List<Series<BarChart.Bar>> series =
        POLICIES.stream()
            .map(
                policy ->
                    Cells.bars(
                        policy,
                        settings,
                        each -> Objects.requireNonNull(all.get(each)).total(policy, figure)))
            .toList();
    return new BarChart(
        "%s-%s".formatted(name(), id),
        title,
        "Sums over all classes in each setting: means over the seeds and their 95 % confidence"
            + " intervals.",
        "setting",
        Axis.of(title),
        true,
        settings,
        series,
        Optional.empty());
  }

  private static List<Claim> claims(Map<String, Runs> all) {
    List<Claim> claims = new ArrayList<>();
    claims.addAll(
        targets(all, "validation-1", HYSTERESIS)
            .noColumnWorse(QOS_DRIVEN)
            .allMeet(ServiceClasses.SILVER)
            .atMost(ServiceClasses.BRONZE, Figure.DEFICIT, 0.008)
            .atMost(ServiceClasses.BRONZE, Figure.MAX_DEFICIT, 0.015)
            .fewPreemptions(QOS_DRIVEN)
            .claims());
    claims.addAll(
        targets(all, "validation-2", HYSTERESIS)
            .noColumnWorse(QOS_DRIVEN)
            .better(ServiceClasses.SILVER, Figure.MET, QOS_DRIVEN)
            .better(ServiceClasses.SILVER, Figure.DEFICIT, QOS_DRIVEN)
            .better(ServiceClasses.SILVER, Figure.PREEMPTIONS, QOS_DRIVEN)
            .claims());
    claims.addAll(
        targets(all, "overload", FULFILMENT)
            .allMeet(ServiceClasses.SILVER)
            .atLeast(ServiceClasses.BRONZE, Figure.MET, 0.75)
            .claims());
    claims.addAll(
        targets(all, "restarts-10", HYSTERESIS)
            .atLeast(ServiceClasses.BRONZE, Figure.MEAN, 0.44)
            .claims());
    return claims;
  }

  private static Targets targets(Map<String, Runs> all, String setting, String policy) {
    return new Targets(
        setting,
        setting + (policy.equals(HYSTERESIS) ? "" : ", " + policy),
        Objects.requireNonNull(all.get(setting)),
        policy);
  }
}
