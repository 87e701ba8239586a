package dev.berth.experiments.studies.slo;

import dev.berth.api.Instance;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.CsvText;
import dev.berth.report.LineChart;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The availability over time of the first bronze instance of validation 1. */
record OneInstance(String id, double slo, long seed, Map<String, Life> lives) {

  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration SHOWN_FROM = Duration.ofMinutes(6);
  private static final Duration SHOWN_UNTIL = Duration.ofMinutes(60);
  private static final double SECONDS_PER_MINUTE = 60;

  /**
   * The life of the instance under one policy.
   *
   * @param availability by time in seconds
   * @param preemptions by then
   */
  private record Life(List<Point> availability, int preemptions) {}

  static OneInstance of(Study.Setting setting) {
    long seed = setting.seed();
    Duration watchdog = BuiltInWorkloads.WATCHDOG;
    Scenario scenario = BuiltInWorkloads.validation1(seed, watchdog);
    RunSettings settings = HysteresisStudy.settings(scenario, watchdog, seed);
    String id = firstBronze(scenario);
    Map<String, Life> lives = new LinkedHashMap<>();
    for (String each : List.of(HysteresisStudy.QOS_DRIVEN, HysteresisStudy.HYSTERESIS)) {
      lives.put(
          each,
          PolicySpec.of(each)
              .resolve(setting.registry(), settings)
              .choice()
              .simulate(
                  settings::simulation, simulation -> life(simulation, id, scenario.until())));
    }
    double slo =
        scenario.workload().serviceClasses().stream()
            .filter(each -> each.name().equals(ServiceClasses.BRONZE))
            .findFirst()
            .orElseThrow()
            .slo()
            .share();
    return new OneInstance(id, slo, seed, lives);
  }

  private static String firstBronze(Scenario scenario) {
    try (ArrivalSource source = scenario.workload().open()) {
      Arrival next = source.next();
      while (!next.request().serviceClass().equals(ServiceClasses.BRONZE)) {
        next = source.next();
      }
      return next.request().id();
    }
  }

  private static Life life(Simulation simulation, String id, Duration until) {
    List<Point> points = new ArrayList<>();
    int preemptions = 0;
    for (Duration now = INTERVAL; now.compareTo(until) <= 0; now = now.plus(INTERVAL)) {
      simulation.runUntil(now);
      Instance its = simulation.scheduler().instance(id).orElse(null);
      if (its != null && its.availability(now.toNanos()).isPresent()) {
        points.add(new Point(now.toSeconds(), its.availability(now.toNanos()).getAsDouble()));
        preemptions = its.preemptions();
      }
    }
    return new Life(points, preemptions);
  }

  List<Block> blocks(String study) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "One instance: the first bronze request of validation 1, %s (seed %s)."
            .formatted(id, seed));
    lives.forEach(
        (policy, life) -> {
          Point last = life.availability().get(life.availability().size() - 1);
          lines.add(
              "  %-14s  availability %s after an hour, %s preemptions"
                  .formatted(policy, Numbers.fixed(last.y(), 4), life.preemptions()));
        });
    return List.of(OnlyFor.of(Medium.TEXT, Text.ofLines(lines)), chart(study));
  }

  private Chart chart(String study) {
    List<LineChart.Line> lines = new ArrayList<>();
    List<String> ends = new ArrayList<>();
    lives.forEach(
        (policy, life) -> {
          lines.add(
              LineChart.Line.of(
                  policy,
                  life.availability().stream()
                      .filter(each -> each.x() >= SHOWN_FROM.toSeconds())
                      .map(each -> new Point(each.x() / SECONDS_PER_MINUTE, each.y()))
                      .toList()));
          ends.add("%s times under %s".formatted(life.preemptions(), policy));
        });
    return new LineChart(
        study + "-instance",
        "One bronze instance over time",
        "Validation 1, seed %s: the availability of %s, the first bronze request, every %s s from %s minutes on. Before, hosts are free. It is preempted %s."
            .formatted(
                seed, id, INTERVAL.toSeconds(), SHOWN_FROM.toMinutes(), String.join(", ", ends)),
        Axis.of("time", "min")
            .within((double) SHOWN_FROM.toMinutes(), (double) SHOWN_UNTIL.toMinutes()),
        Axis.of("availability"),
        LineChart.Style.STRAIGHT,
        lines,
        List.of(Reference.horizontal("SLO", slo)));
  }

  CsvText series(String study) {
    CsvText series =
        new CsvText(study + "-instance", "policy", "request", "seconds", "availability");
    lives.forEach(
        (policy, life) ->
            life.availability()
                .forEach(each -> series.row(policy, id, Math.round(each.x()), each.y())));
    return series;
  }
}
