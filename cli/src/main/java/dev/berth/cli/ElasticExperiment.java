package dev.berth.cli;

import dev.berth.policies.elastic.ClairvoyantBound;
import dev.berth.policies.elastic.ClusterSizing;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.simulator.BagScenarios;
import dev.berth.simulator.BagScenarios.Tasks;
import dev.berth.simulator.FleetSample;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.experiment.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/** What the experiments on elastic clusters share: the tables of drawn and of real runs. */
final class ElasticExperiment {

  private static final double MINUTE = 60e9;
  private static final double HOUR = 3600e9;
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
      Reproduction.Setting setting) {
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
  static List<String> realTable(
      Map<ExperimentRun.Entry, List<ElasticRun>> all, List<Double> wanted, double bound) {
    TextTable table = new TextTable(3, 3, 3, 3, 3, 3, 3, 3);
    table.row(
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
                  entry.label(),
                  words(runs, ElasticRun::started, 1),
                  knowsBags ? words(Sample.of(reused), runs.size(), 1) : Numbers.NONE,
                  knowsBags ? words(runs, ElasticRun::clusters, 2) : Numbers.NONE,
                  words(runs, ElasticRun::minutes, 1),
                  words(runs, ElasticRun::meanBagMinutes, 1),
                  words(runs, ElasticRun::hostHours, 1),
                  words(runs, ElasticRun::busyPercent, 1),
                  words(runs, ElasticRun::lostPercent, 1)));
        });
    table.across(
        "To end each bag by its deadline (makespan rule, from its submission) takes %s host-hours at least (clairvoyant bound)."
            .formatted(Numbers.share(bound, 1)));
    return table.render();
  }

  private static String words(
      List<ElasticRun> runs, ToDoubleFunction<ElasticRun> figure, int digits) {
    return words(Sample.of(runs, figure), runs.size(), digits);
  }

  private static String words(Sample sample, int runs, int digits) {
    return runs == 1 ? Numbers.share(sample.mean(), digits) : Numbers.estimate(sample, digits);
  }

  /**
   * Returns the least host-hours of a scenario: of what its tasks really run, each bag due when the
   * makespan rule says.
   */
  static double bound(List<Tasks> bags, List<Long> trueWork) {
    List<ClairvoyantBound.Work> work = new ArrayList<>();
    for (int i = 0; i < bags.size(); i++) {
      Tasks bag = bags.get(i);
      int hosts =
          Math.min(ClusterSizing.hostsFor(bag.walltime(), DrawnRuns.WASTE), bag.runTimes().size());
      long longest = bag.runTimes().stream().mapToLong(Long::longValue).max().orElse(0);
      long due =
          bag.at()
              + ClusterSizing.listSchedulingTime(bag.walltime(), longest, hosts)
              + STARTS.toNanos()
              + SLACK.toNanos();
      work.add(new ClairvoyantBound.Work(bag.at(), due, trueWork.get(i)));
    }
    return ClairvoyantBound.leastHostTime(work, STARTS_AND_STOPS) / HOUR;
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
