package dev.berth.experiments.studies.elastic;

import com.google.common.collect.ImmutableMap;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.ComparedBars;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.experiments.spec.PolicySpec;
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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * ElasticCluster and ElasticSite on a workload of the thesis (sections 5.3.1 and 5.4): in the
 * thesis's model, which draws the use of clusters, and with simulated tasks.
 */
public final class WorkloadStudy extends AbstractStudy {

  private static final PublishedTables THESIS =
      PublishedTables.read(WorkloadStudy.class, "published-elastic.json");
  private static final String PUBLISHED = "elastic-1";
  private static final String SITE = "elastic-site";
  private static final String CLUSTER = "elastic-cluster, ";
  private static final double LEAST_SHARE = 0.1; // of the estimates, where users estimate too much
  private static final double NEAR = 0.10;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  /** The times to migrate, start and stop a host that the thesis may have used. */
  private static final Map<String, Duration> WASTES =
      ImmutableMap.of(
          "waste 13 s", PetriNetRuns.WASTE,
          "13.038 s", Duration.ofMillis(13_038),
          "19 s, as printed", Duration.ofSeconds(19));

  /**
   * A figure of the drawn runs, published and ours.
   *
   * @param heading its name in the table
   * @param digits of the published figure
   */
  private record Drawn(
      Figure<PetriNetModel.Figures> figure, String heading, int digits, Axis axis) {}

  private static final List<Drawn> DRAWN =
      List.of(
          new Drawn(PetriNetRuns.STARTED, "hosts started", 0, Axis.of("hosts")),
          new Drawn(PetriNetRuns.REUSED, "used again", 0, Axis.of("hosts")),
          new Drawn(PetriNetRuns.CLUSTERS, "clusters", 2, Axis.of("clusters")),
          new Drawn(PetriNetRuns.MINUTES, "time min", 1, Axis.of("time", "min")));

  /** What the claims are about. */
  private static final List<Drawn> CLAIMED =
      Stream.concat(
              DRAWN.stream(),
              Stream.of(new Drawn(PetriNetRuns.FRESH, "new", 0, Axis.of("bags", "%"))))
          .toList();

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
        OnlyFor.inText(
            "Use of clusters drawn, 5 % to 94 % (30 repetitions of 90 workloads; ours ± 95 %)"));
    blocks.add(Stack.of(drawn(rows), Text.ofLines(remarks)));
    blocks.add(new Grid(2, drawnCharts(rows)));
    List<CsvText> series = new ArrayList<>();
    for (double share : List.of(1.0, LEAST_SHARE)) {
      ElasticFigures figures = simulated(share, setting);
      blocks.add(OnlyFor.inText(figures.caption()));
      blocks.addAll(figures.blocks());
      series.add(figures.hostSeries());
      series.add(figures.totals());
    }
    return new StudyResult(blocks, claims(rows), series);
  }

  // ---- Simulated

  private ElasticFigures simulated(double share, Setting setting) {
    List<List<Tasks>> bags =
        IntStream.range(0, seeds).mapToObj(i -> workload.apply(setting.seed() + i)).toList();
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
    PublishedTables.Table published = THESIS.table("hosts-of-a-bag");
    Columns<String> columns =
        new Columns<String>()
            .text("bag", bag -> bag)
            .cells("walltime min", 3, bag -> Table.Cell.number(published.get(bag, "walltime"), 0))
            .add(hosts("published"), bag -> Table.Cell.number(published.get(bag, "hosts"), 0));
    WASTES.forEach(
        (words, waste) ->
            columns.add(hosts(words), bag -> Table.Cell.count(hosts(published, bag, waste))));
    return columns.table(
        name() + "-bags",
        "Hosts for each bag (QMV0): published and ours",
        published.rows().keySet());
  }

  private static int hosts(PublishedTables.Table published, String bag, Duration waste) {
    return ClusterSizing.hostsFor(
        Math.round(published.get(bag, "walltime").orElseThrow() * MINUTE), waste);
  }

  private static Table.Column hosts(String name) {
    return Table.Column.ofNumbers(name).withHeading("hosts (QMV0)").withGap(3);
  }

  private Map<String, PetriNetRuns> drawnRuns(Setting setting) {
    Map<String, PetriNetRuns> rows = new LinkedHashMap<>();
    rows.put(SITE, PetriNetRuns.site(workload, setting.seed()));
    for (Limits each : limits) {
      rows.put(row(each), PetriNetRuns.cluster(workload, each, setting.seed()));
    }
    return rows;
  }

  /** Returns whether the thesis has figures of pairs of limits: it has none of workload 2. */
  private boolean isPublished() {
    return name().equals(PUBLISHED);
  }

  /** Returns a published figure of the drawn runs. */
  private OptionalDouble published(String row, String column) {
    return isPublished() ? THESIS.table(PUBLISHED).get(row, column) : OptionalDouble.empty();
  }

  private Table drawn(Map<String, PetriNetRuns> rows) {
    Columns<Map.Entry<String, PetriNetRuns>> columns =
        new Columns<Map.Entry<String, PetriNetRuns>>().text("MV_max, U_max", Map.Entry::getKey);
    for (Drawn each : DRAWN) {
      columns.compared(
          each.heading(),
          row -> Table.Cell.number(published(row.getKey(), each.figure().key()), each.digits()),
          row -> Cells.estimate(row.getValue().get(each.figure()), each.figure().digits()));
    }
    return columns
        .add(
            Table.Column.ofNumbers("ours").withHeading("new %").withGap(3),
            row -> Cells.mean(row.getValue().get(PetriNetRuns.FRESH), 0))
        .table(name() + "-drawn", "Use of clusters drawn: published and ours", rows.entrySet());
  }

  private List<Chart> drawnCharts(Map<String, PetriNetRuns> rows) {
    List<Chart> charts = new ArrayList<>();
    for (Drawn each : DRAWN) {
      String key = each.figure().key();
      String words = each.figure().words();
      String heading = words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
      ComparedBars bars = new ComparedBars();
      rows.forEach((row, runs) -> bars.add(row, published(row, key), runs.get(each.figure())));
      charts.add(
          bars.chart(
              "%s-drawn-%s".formatted(name(), key),
              heading,
              heading + ", the use of clusters drawn from 5 % to 94 %; ours ± 95 %.",
              "MV_max, U_max",
              each.axis()));
    }
    return charts;
  }

  // ---- Claims

  /** Each published figure within 10 %, and what the thesis concludes from them (section 5.3.1). */
  private List<Claim> claims(Map<String, PetriNetRuns> rows) {
    if (!isPublished()) {
      return List.of();
    }
    List<Claim> claims = new ArrayList<>();
    claims.add(hostsOfBags("hosts-19", "19 s, as printed"));
    claims.add(hostsOfBags("hosts-13", "13.038 s"));
    rows.forEach(
        (row, runs) -> {
          for (Drawn drawn : CLAIMED) {
            Figure<PetriNetModel.Figures> figure = drawn.figure();
            String unit = drawn.axis().unit();
            published(row, figure.key())
                .ifPresent(
                    theirs ->
                        claims.add(
                            near(
                                id(row) + figure.key(),
                                "%s: %s".formatted(row, figure.words()),
                                theirs,
                                runs.mean(figure),
                                drawn.digits(),
                                unit.isEmpty() ? "" : " " + unit)));
          }
        });
    PetriNetRuns site = Objects.requireNonNull(rows.get(SITE));
    limits.forEach(
        each -> {
          String row = row(each);
          PetriNetRuns cluster = Objects.requireNonNull(rows.get(row));
          claims.add(
              near(
                  id(row) + "saved",
                  row + ": hosts started less than under elastic-site",
                  saved(started(SITE), started(row)),
                  saved(site.mean(PetriNetRuns.STARTED), cluster.mean(PetriNetRuns.STARTED)),
                  1,
                  " %"));
        });
    claims.add(
        Claim.of(
            "better",
            "elastic-cluster starts fewer hosts and clusters than elastic-site, and ends earlier",
            "with both limits",
            "in %s of 6 comparisons".formatted(better(rows)),
            better(rows) == 6));
    return claims;
  }

  private static Claim hostsOfBags(String id, String waste) {
    PublishedTables.Table published = THESIS.table("hosts-of-a-bag");
    Duration lost = Objects.requireNonNull(WASTES.get(waste));
    long same =
        published.rows().keySet().stream()
            .filter(
                each -> hosts(published, each, lost) == published.get(each, "hosts").orElseThrow())
            .count();
    int all = published.rows().size();
    return Claim.of(
        id,
        "the hosts of each bag (QMV0) follow from its walltime: " + waste,
        "%s of %s".formatted(all, all),
        "%s of %s".formatted(same, all),
        same == all);
  }

  private double started(String row) {
    return published(row, PetriNetRuns.STARTED.key()).orElseThrow();
  }

  private static double saved(double site, double cluster) {
    return 100 * (1 - cluster / site);
  }

  private long better(Map<String, PetriNetRuns> rows) {
    PetriNetRuns site = Objects.requireNonNull(rows.get(SITE));
    return limits.stream()
        .map(each -> Objects.requireNonNull(rows.get(row(each))))
        .flatMap(
            its ->
                Stream.of(PetriNetRuns.STARTED, PetriNetRuns.CLUSTERS, PetriNetRuns.MINUTES)
                    .filter(figure -> its.mean(figure) < site.mean(figure)))
        .count();
  }

  private static String row(Limits limits) {
    return CLUSTER + ElasticPolicies.named(limits);
  }

  /** Returns the beginning of the ids of the claims about a row: {@code site-}, or MV_max. */
  private static String id(String row) {
    return row.equals(SITE) ? "site-" : row.substring(CLUSTER.length(), row.lastIndexOf(',')) + "-";
  }

  /** Returns the claim that our figure is within 10 % of a published one. */
  static Claim near(String id, String words, double theirs, double ours, int digits, String unit) {
    return Claim.of(
        id,
        words + " (within 10 %, our criterion)",
        Numbers.fixed(theirs, digits) + unit,
        Numbers.fixed(ours, digits) + unit,
        Math.abs(ours - theirs) <= NEAR * theirs);
  }
}
