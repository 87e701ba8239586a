package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.Sample;
import dev.berth.experiments.output.Cells;
import dev.berth.experiments.output.ComparedBars;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.policies.elastic.ClusterSizing;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.CsvText;
import dev.berth.report.Grid;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * ElasticCluster and ElasticSite on a workload of the thesis (sections 5.3.1 and 5.4): in the
 * thesis's model, which draws the use of clusters, and with simulated tasks.
 */
public final class WorkloadStudy extends AbstractStudy {

  private static final PublishedTables THESIS =
      PublishedTables.read(WorkloadStudy.class, "published-elastic.json");
  private static final String PUBLISHED = "elastic-1";
  private static final String SITE = "elastic-site";
  private static final double LEAST_SHARE = 0.1; // of the estimates, where users estimate too much
  private static final double NEAR = 0.10;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final Duration CLOSEST_WASTE = Duration.ofMillis(13_038);
  private static final Duration STATED_WASTE = Duration.ofSeconds(19);

  private final LongFunction<List<Tasks>> workload;
  private final List<Limits> limits;
  private final int seeds;
  private final List<String> remarks;

  private WorkloadStudy(
      String name,
      String title,
      LongFunction<List<Tasks>> workload,
      List<Limits> limits,
      int seeds,
      List<String> remarks) {
    super(name, title);
    this.workload = workload;
    this.limits = limits;
    this.seeds = seeds;
    this.remarks = remarks;
  }

  /** Returns workload 1. */
  public static WorkloadStudy first() {
    return first(30);
  }

  /** Returns workload 1, with so many seeds of what really runs. */
  public static WorkloadStudy first(int seeds) {
    return new WorkloadStudy(
        "elastic-1",
        "ElasticCluster and ElasticSite, workload 1: three bags, 20 minutes apart",
        BagScenarios::workload1,
        List.of(new Limits(0.35, 70), new Limits(0.95, 180)),
        seeds,
        List.of(
            "The published times do not follow from the published formulas: BoT 3 arrives at 40 min and takes 17 min",
            "on its 37 hosts, so 55 and 51.6 min need more hosts. 2.26 clusters contradict \"82 % of the submissions\",",
            "and 120 + 35 = 155 contradicts 151 hosts in all."));
  }

  /** Returns workload 2. */
  public static WorkloadStudy second() {
    return new WorkloadStudy(
        "elastic-2",
        "ElasticCluster and ElasticSite, workload 2: ten times the tasks, 5 minutes apart",
        BagScenarios::workload2,
        List.of(new Limits(0.35, 180), new Limits(0.65, 360), new Limits(0.95, 540)),
        1,
        List.of(
            "Published: new clusters for 85 % of the bags at 180 and for about 50 % at 360 and 540; 110 hosts used",
            "again; 16,300 s (272 min) at 180 and 10,100 s (168 min) at 360. No reading of the thesis that we tried",
            "comes near those times: even one cluster after the other takes 12,400 s."));
  }

  @Override
  public StudyResult run(Setting setting) {
    Map<String, PetriNetRuns> rows = drawnRuns(setting);
    List<Block> blocks = new ArrayList<>();
    blocks.add(hostsOfBags());
    blocks.add(
        OnlyFor.of(
            Medium.TEXT,
            Text.of(
                "Use of clusters drawn, 5 % to 94 % (30 repetitions of 90 workloads; ours ± 95 %)")));
    blocks.add(Stack.of(drawn(rows), Text.ofLines(remarks)));
    blocks.add(new Grid(2, drawnCharts(rows)));
    List<CsvText> series = new ArrayList<>();
    for (double share : List.of(1.0, LEAST_SHARE)) {
      ElasticFigures figures = simulated(share, setting);
      blocks.add(OnlyFor.of(Medium.TEXT, Text.of(figures.caption())));
      blocks.addAll(figures.blocks());
      series.add(figures.hostSeries());
      series.add(figures.totals());
    }
    return new StudyResult(blocks, claims(rows), series);
  }

  // ---- Simulated

  private ElasticFigures simulated(double share, Setting setting) {
    List<List<Tasks>> bags = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      bags.add(workload.apply(setting.seed() + i));
    }
    List<Double> wanted =
        bags.stream().map(each -> (double) PetriNetModel.wanted(each, PetriNetRuns.WASTE)).toList();
    LongFunction<Scenario> scenarios =
        seed -> BagScenarios.of(name(), workload.apply(seed), share, 0, seed);
    StudyRuns runs =
        StudyRuns.of(
            policies((int) Math.round(Sample.of(wanted).mean())), scenarios, seeds, setting);
    List<Double> bounds = new ArrayList<>();
    for (List<Tasks> each : bags) {
      Scenario scenario = scenarios.apply(setting.seed() + bounds.size());
      bounds.add(ElasticBound.hostHours(each, ElasticBound.trueWork(scenario, each.size())));
    }
    String tasks =
        share == 1
            ? "Simulated tasks, each as long as its user estimates (%s)"
            : "Simulated tasks, each 10 %% to 100 %% of its user's estimate (%s)";
    return new ElasticFigures(
        "%s-%s".formatted(name(), share == 1 ? "exact" : "generous"),
        tasks.formatted(seeds == 1 ? "one seed" : seeds + " seeds; ± 95 %"),
        runs,
        wanted,
        Sample.of(bounds).mean());
  }

  private List<PolicySpec> policies(int wanted) {
    List<PolicySpec> policies = new ArrayList<>();
    for (String timeToLive : List.of("published", "makespan")) {
      policies.add(ElasticPolicies.site(timeToLive));
      limits.forEach(each -> policies.add(ElasticPolicies.cluster(each, timeToLive)));
    }
    policies.add(ElasticPolicies.trimmed(limits.get(limits.size() - 1)));
    policies.addAll(ElasticPolicies.autoscalers(wanted));
    return policies;
  }

  // ---- Drawn

  private Table hostsOfBags() {
    String hosts = "hosts (QMV0)";
    Table.Builder table =
        Table.builder(name() + "-bags", "Hosts for each bag (QMV0): published and ours")
            .column(Table.Column.ofText("bag"))
            .column(Table.Column.ofNumbers("walltime min").withGap(3))
            .column(Table.Column.ofNumbers("published").withHeading(hosts).withGap(3))
            .column(Table.Column.ofNumbers("waste 13 s").withHeading(hosts).withGap(3))
            .column(Table.Column.ofNumbers("13.038 s").withHeading(hosts).withGap(3))
            .column(Table.Column.ofNumbers("19 s, as printed").withHeading(hosts).withGap(3));
    PublishedTables.Table published = THESIS.table("hosts-of-a-bag");
    for (String bag : published.rows().keySet()) {
      double minutes = published.get(bag, "walltime").orElseThrow();
      long walltime = Math.round(minutes * MINUTE);
      table.row(
          Table.Cell.of(bag),
          Table.Cell.number(minutes, 0),
          Table.Cell.number(published.get(bag, "hosts"), 0),
          Table.Cell.count(ClusterSizing.hostsFor(walltime, PetriNetRuns.WASTE)),
          Table.Cell.count(ClusterSizing.hostsFor(walltime, CLOSEST_WASTE)),
          Table.Cell.count(ClusterSizing.hostsFor(walltime, STATED_WASTE)));
    }
    return table.build();
  }

  private Map<String, PetriNetRuns> drawnRuns(Setting setting) {
    Map<String, PetriNetRuns> rows = new LinkedHashMap<>();
    rows.put(SITE, PetriNetRuns.site(workload, setting.seed()));
    for (Limits each : limits) {
      rows.put(
          "elastic-cluster, " + ElasticPolicies.named(each),
          PetriNetRuns.cluster(workload, each, setting.seed()));
    }
    return rows;
  }

  /** Returns a published figure of the drawn runs; there are none of workload 2. */
  private OptionalDouble published(String row, String column) {
    return name().equals(PUBLISHED)
        ? THESIS.table(PUBLISHED).get(row, column)
        : OptionalDouble.empty();
  }

  private Table drawn(Map<String, PetriNetRuns> rows) {
    Table.Builder table =
        Table.builder(name() + "-drawn", "Use of clusters drawn: published and ours")
            .column(Table.Column.ofText("MV_max, U_max"));
    for (String heading : List.of("hosts started", "used again", "clusters", "time min")) {
      table
          .column(Table.Column.ofNumbers("published").withHeading(heading).withGap(3))
          .column(Table.Column.ofNumbers("ours").withHeading(heading));
    }
    table.column(Table.Column.ofNumbers("ours").withHeading("new %").withGap(3));
    rows.forEach(
        (row, runs) ->
            table.row(
                Table.Cell.of(row),
                Table.Cell.number(published(row, "started"), 0),
                Cells.estimate(runs.started(), 1),
                Table.Cell.number(published(row, "reused"), 0),
                Cells.estimate(runs.reused(), 1),
                Table.Cell.number(published(row, "clusters"), 2),
                Cells.estimate(runs.clusters(), 2),
                Table.Cell.number(published(row, "minutes"), 1),
                Cells.estimate(runs.minutes(), 1),
                Cells.mean(runs.fresh(), 0)));
    return table.build();
  }

  private List<Chart> drawnCharts(Map<String, PetriNetRuns> rows) {
    return List.of(
        drawnChart(rows, "started", "Hosts started", PetriNetRuns::started, Axis.of("hosts")),
        drawnChart(rows, "reused", "Hosts used again", PetriNetRuns::reused, Axis.of("hosts")),
        drawnChart(rows, "clusters", "Clusters", PetriNetRuns::clusters, Axis.of("clusters")),
        drawnChart(
            rows,
            "minutes",
            "Time until all tasks end",
            PetriNetRuns::minutes,
            Axis.of("time", "min")));
  }

  private Chart drawnChart(
      Map<String, PetriNetRuns> rows,
      String column,
      String heading,
      Function<PetriNetRuns, Sample> figure,
      Axis axis) {
    ComparedBars bars = new ComparedBars();
    rows.forEach((row, runs) -> bars.add(row, published(row, column), figure.apply(runs)));
    return bars.chart(
        "%s-drawn-%s".formatted(name(), column),
        heading,
        heading + ", the use of clusters drawn from 5 % to 94 %; ours ± 95 %.",
        "MV_max, U_max",
        axis);
  }

  // ---- Claims

  private List<Claim> claims(Map<String, PetriNetRuns> rows) {
    return name().equals(PUBLISHED) ? claimsOfFirst(rows) : claimsOfSecond(rows);
  }

  /** Each published figure of ElasticCluster, within 10 %. */
  private List<Claim> claimsOfFirst(Map<String, PetriNetRuns> rows) {
    List<Claim> claims = new ArrayList<>();
    for (Limits each : limits) {
      String row = "elastic-cluster, " + ElasticPolicies.named(each);
      PetriNetRuns runs = rows.get(row);
      if (runs != null) {
        String id = each.maxHosts() + "-";
        claims.add(
            near(
                id + "started",
                row,
                "hosts started",
                published(row, "started"),
                runs.started(),
                "",
                0));
        claims.add(
            near(
                id + "reused",
                row,
                "hosts used again",
                published(row, "reused"),
                runs.reused(),
                "",
                0));
        claims.add(
            near(
                id + "clusters",
                row,
                "clusters",
                published(row, "clusters"),
                runs.clusters(),
                "",
                2));
        claims.add(
            near(
                id + "minutes",
                row,
                "time until all tasks end",
                published(row, "minutes"),
                runs.minutes(),
                " min",
                1));
      }
    }
    return claims;
  }

  /** The few figures of workload 2 that the text of the thesis has. */
  private List<Claim> claimsOfSecond(Map<String, PetriNetRuns> rows) {
    List<Claim> claims = new ArrayList<>();
    List<Double> fresh = List.of(85.0, 50.0, 50.0);
    List<OptionalDouble> minutes =
        List.of(OptionalDouble.of(272), OptionalDouble.of(168), OptionalDouble.empty());
    for (int i = 0; i < limits.size(); i++) {
      String row = "elastic-cluster, " + ElasticPolicies.named(limits.get(i));
      PetriNetRuns runs = rows.get(row);
      if (runs != null) {
        String id = limits.get(i).maxHosts() + "-";
        claims.add(
            near(
                id + "fresh",
                row,
                "bags that get a new cluster",
                OptionalDouble.of(fresh.get(i)),
                runs.fresh(),
                " %",
                0));
        if (minutes.get(i).isPresent()) {
          claims.add(
              near(
                  id + "minutes",
                  row,
                  "time until all tasks end",
                  minutes.get(i),
                  runs.minutes(),
                  " min",
                  0));
        }
      }
    }
    return claims;
  }

  private static Claim near(
      String id,
      String row,
      String words,
      OptionalDouble published,
      Sample ours,
      String unit,
      int digits) {
    double theirs = published.orElseThrow();
    double mean = ours.mean();
    return Claim.of(
        id,
        "%s: %s (within 10 %%, our criterion)".formatted(row, words),
        Numbers.fixed(theirs, digits) + unit,
        Numbers.fixed(mean, digits) + unit,
        Math.abs(mean - theirs) <= NEAR * theirs);
  }
}
