package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.Sample;
import dev.berth.experiments.bound.BagHostTimeBound;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.experiments.study.Study;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.policies.elastic.ClusterSizing;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Marks;
import dev.berth.report.Point;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.simulator.FleetSample;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/** What the experiments on elastic clusters share: the tables of drawn and of real runs. */
final class ElasticExperiment {

  private static final double MINUTE = 60e9;
  private static final double HOUR = 3600e9;
  private static final int MOST_POINTS = 1_000;
  private static final Duration SLACK = Duration.ofSeconds(60);
  private static final Duration STARTS = Duration.ofSeconds(10);
  private static final Duration STARTS_AND_STOPS = Duration.ofSeconds(13);

  private ElasticExperiment() {}

  /** ElasticCluster with some limits, and a time to live. */
  static ExperimentRun.Entry cluster(Limits limits, String timeToLive) {
    return new ExperimentRun.Entry(
        "elastic-cluster, %s%s"
            .formatted(named(limits), timeToLive.equals("published") ? ", published" : ""),
        "elastic-cluster",
        "{\"maxHosts\":%s,\"maxUtilisation\":%s,\"timeToLive\":\"%s\"}"
            .formatted(limits.maxHosts(), limits.maxUtilisation(), timeToLive));
  }

  /** ElasticCluster that gives back hosts which the last tasks of a bag leave idle. */
  static ExperimentRun.Entry trimmed(Limits limits) {
    return new ExperimentRun.Entry(
        "elastic-cluster, %s, trimmed".formatted(named(limits)),
        "elastic-cluster",
        "{\"maxHosts\":%s,\"maxUtilisation\":%s,\"trim\":true}"
            .formatted(limits.maxHosts(), limits.maxUtilisation()));
  }

  static ExperimentRun.Entry site(String timeToLive) {
    return new ExperimentRun.Entry(
        "elastic-site" + (timeToLive.equals("published") ? ", published" : ""),
        "elastic-site",
        "{\"timeToLive\":\"%s\"}".formatted(timeToLive));
  }

  /**
   * Returns the autoscaler as it is, which asks for a host for every task that waits, and with as
   * many hosts as the bags are worth together.
   */
  static List<ExperimentRun.Entry> autoscalers(int wanted) {
    return List.of(
        new ExperimentRun.Entry(
            "queue-depth, at most " + wanted, "queue-depth", "{\"maxHosts\":%s}".formatted(wanted)),
        new ExperimentRun.Entry("queue-depth"));
  }

  /** Returns limits as tables name them: {@code "70, .35"}. */
  static String named(Limits limits) {
    return "%s, %s".formatted(limits.maxHosts(), shareOf(limits.maxUtilisation()));
  }

  static String shareOf(double utilisation) {
    return Numbers.share(utilisation, 2).substring(1);
  }

  // ---- Real runs

  /** Runs policies on workloads, one for each seed. */
  static Map<ExperimentRun.Entry, List<ElasticRun>> run(
      List<ExperimentRun.Entry> entries,
      LongFunction<Scenario> scenarios,
      int seeds,
      Study.Setting setting) {
    Map<ExperimentRun.Entry, List<ElasticRun>> all = new LinkedHashMap<>();
    for (ExperimentRun.Entry entry : entries) {
      List<ElasticRun> runs = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        long seed = setting.seed() + i;
        runs.add(ElasticRun.of(entry, scenarios.apply(seed), seed, setting.registry()));
      }
      all.put(entry, runs);
    }
    return all;
  }

  /**
   * Returns a table of real runs.
   *
   * @param wanted QMV0 of all bags, summed, by place of the run
   * @param bound least host-hours, in the mean
   */
  static FigureTable realTable(
      Map<ExperimentRun.Entry, List<ElasticRun>> all, List<Double> wanted, double bound) {
    FigureTable table = new FigureTable(3, 3, 3, 3, 3, 3, 3, 3);
    table.columns(
        List.of(
            "policy",
            "hosts started",
            "used again",
            "clusters",
            "last end min",
            "mean bag min",
            "host-hours",
            "busy %",
            "lost tasks %"));
    all.forEach(
        (entry, runs) -> {
          List<Double> reused = new ArrayList<>();
          for (int i = 0; i < runs.size(); i++) {
            reused.add(Math.max(0, wanted.get(i) - runs.get(i).started()));
          }
          boolean knowsBags = !entry.policy().equals("queue-depth");
          table.row(
              List.of(
                  FigureTable.words(entry.label()),
                  cell(runs, ElasticRun::started, 1),
                  knowsBags ? cell(Sample.of(reused), 1) : FigureTable.words(Numbers.NONE),
                  knowsBags ? cell(runs, ElasticRun::clusters, 2) : FigureTable.words(Numbers.NONE),
                  cell(runs, ElasticRun::minutes, 1),
                  cell(runs, ElasticRun::meanBagMinutes, 1),
                  cell(runs, ElasticRun::hostHours, 1),
                  cell(Sample.ofDefined(runs, ElasticRun::busyPercent), 1),
                  cell(runs, ElasticRun::lostPercent, 1)));
        });
    table.across(
        "To end each bag by its deadline (makespan rule, from its submission) takes %s host-hours at least (clairvoyant bound)."
            .formatted(Numbers.share(bound, 1)));
    return table;
  }

  private static Table.Cell cell(
      List<ElasticRun> runs, ToDoubleFunction<ElasticRun> figure, int digits) {
    return cell(Sample.of(runs, figure), digits);
  }

  private static Table.Cell cell(Sample sample, int digits) {
    return switch (sample.size()) {
      case 0 -> FigureTable.words(Numbers.NONE);
      case 1 -> FigureTable.number(sample.mean(), digits);
      default -> FigureTable.estimate(sample, digits);
    };
  }

  // ---- Charts

  /**
   * Returns charts of real runs: what they cost and how fast they are, and hosts over time.
   *
   * @param id begins the ids of all
   * @param bound least host-hours, in the mean
   */
  static List<Block> charts(
      String id, Map<ExperimentRun.Entry, List<ElasticRun>> all, double bound) {
    Map<String, BarChart.Bar> cost = new LinkedHashMap<>();
    Map<String, BarChart.Bar> times = new LinkedHashMap<>();
    Map<String, Double> bounds = new LinkedHashMap<>();
    all.forEach(
        (entry, runs) -> {
          cost.put(entry.label(), bar(Sample.of(runs, ElasticRun::hostHours)));
          times.put(entry.label(), bar(Sample.of(runs, ElasticRun::meanBagMinutes)));
          bounds.put(entry.label(), bound);
        });
    List<String> policies = List.copyOf(cost.keySet());
    return List.of(
        new Grid(
            2,
            List.of(
                new BarChart(
                    id + "-cost",
                    "What is paid for",
                    "Host-hours from being asked for to being gone; across: the least that ends each bag by its "
                        + "deadline (clairvoyant bound).",
                    "policy",
                    Axis.of("host-hours"),
                    true,
                    policies,
                    List.of(new Series<>("ours", cost)),
                    Optional.of(new Marks("clairvoyant bound", bounds))),
                new BarChart(
                    id + "-time",
                    "How long a bag takes",
                    "Mean time from a bag's submission to its end.",
                    "policy",
                    Axis.of("mean bag", "min"),
                    true,
                    policies,
                    List.of(new Series<>("ours", times)),
                    Optional.empty()))),
        hosts(id, all));
  }

  private static BarChart.Bar bar(Sample sample) {
    return sample.size() < 2
        ? BarChart.Bar.of(sample.mean())
        : BarChart.Bar.of(sample.mean(), sample.halfWidth());
  }

  private static LineChart hosts(String id, Map<ExperimentRun.Entry, List<ElasticRun>> all) {
    List<LineChart.Line> lines = new ArrayList<>();
    all.forEach(
        (entry, runs) ->
            lines.add(LineChart.Line.of(entry.label(), hostsOverTime(runs.get(0).samples()))));
    return new LineChart(
        id + "-hosts",
        "Hosts over time",
        "The first run of each policy: hosts that start, are up or stop, on a logarithmic axis, where 0 "
            + "is drawn as 1.",
        Axis.of("time", "min"),
        Axis.of("hosts").asLogarithmic(),
        LineChart.Style.STEP,
        lines,
        List.of());
  }

  /** Returns when there were how many hosts; thinned out evenly if it changes very often. */
  private static List<Point> hostsOverTime(List<FleetSample> samples) {
    List<Point> changes = new ArrayList<>();
    int before = 0;
    for (FleetSample each : samples) {
      if (each.all() != before) {
        changes.add(new Point(each.at() / MINUTE, Math.max(1, each.all())));
      }
      before = each.all();
    }
    int step = (changes.size() + MOST_POINTS - 1) / MOST_POINTS;
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      if (i % step == 0 || i == changes.size() - 1) {
        points.add(changes.get(i));
      }
    }
    return points;
  }

  /**
   * Returns the least host-hours of a scenario: of what its tasks really run, each bag due when the
   * makespan rule says.
   */
  static double bound(List<Tasks> bags, List<Long> trueWork) {
    List<BagHostTimeBound.Work> work = new ArrayList<>();
    for (int i = 0; i < bags.size(); i++) {
      Tasks bag = bags.get(i);
      int hosts =
          Math.min(ClusterSizing.hostsFor(bag.walltime(), PetriNetRuns.WASTE), bag.runTimes().size());
      long longest = bag.runTimes().stream().mapToLong(Long::longValue).max().orElse(0);
      long due =
          bag.at()
              + ClusterSizing.listSchedulingTime(bag.walltime(), longest, hosts)
              + STARTS.toNanos()
              + SLACK.toNanos();
      work.add(new BagHostTimeBound.Work(bag.at(), due, trueWork.get(i)));
    }
    return BagHostTimeBound.leastHostTime(work, STARTS_AND_STOPS) / HOUR;
  }

  /** Returns what the tasks of each bag of a scenario really run, summed. */
  static List<Long> trueWork(Scenario scenario, int bags) {
    List<Long> work = new ArrayList<>();
    for (int i = 0; i < bags; i++) {
      work.add(0L);
    }
    try (var arrivals = scenario.workload().open()) {
      while (arrivals.hasNext()) {
        var each = arrivals.next();
        int bag = Integer.parseInt(each.bag().orElseThrow().id().substring("bag-".length())) - 1;
        work.set(bag, work.get(bag) + each.serviceTime());
      }
    }
    return work;
  }

  // ---- Series

  /** Returns hosts over time by state, of the first run of each policy. */
  static CsvText hostSeries(String name, Map<ExperimentRun.Entry, List<ElasticRun>> all) {
    CsvText series =
        new CsvText(
            name + "-hosts", "policy", "minutes", "starting", "idle", "busy", "stopping", "all");
    all.forEach(
        (entry, runs) -> {
          for (FleetSample each : runs.get(0).samples()) {
            series.row(
                entry.label(),
                each.at() / MINUTE,
                each.starting(),
                each.idle(),
                each.busy(),
                each.stopping(),
                each.all());
          }
        });
    return series;
  }

  /** Returns the totals of all runs. */
  static CsvText totals(
      String name, Map<ExperimentRun.Entry, List<ElasticRun>> all, List<Double> wanted) {
    CsvText series =
        new CsvText(
            name + "-totals",
            "policy",
            "seed",
            "started",
            "used_again",
            "clusters",
            "last_end_min",
            "mean_bag_min",
            "host_hours",
            "busy_percent",
            "lost_percent");
    all.forEach(
        (entry, runs) -> {
          for (int i = 0; i < runs.size(); i++) {
            ElasticRun run = runs.get(i);
            series.row(
                entry.label(),
                run.result().seed(),
                run.started(),
                Math.max(0, wanted.get(i) - run.started()),
                run.clusters(),
                run.minutes(),
                run.meanBagMinutes(),
                run.hostHours(),
                run.busyPercent(),
                run.lostPercent());
          }
        });
    return series;
  }

  /** Returns a scenario of bags whose users are right, or say too much. */
  static Scenario scenario(String name, List<Tasks> bags, double leastShare, long seed) {
    return BagScenarios.of(name, bags, leastShare, 0, seed);
  }
}
