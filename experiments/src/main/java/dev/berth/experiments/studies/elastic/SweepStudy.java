package dev.berth.experiments.studies.elastic;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/** A sweep over the limits of ElasticCluster on a workload of the thesis (sections 5.3.2, 5.4). */
public final class SweepStudy extends AbstractStudy {

  static final List<Double> UTILISATIONS =
      List.of(0.35, 0.40, 0.45, 0.50, 0.55, 0.65, 0.75, 0.85, 0.95);
  private static final int SEEDS = 5;
  private static final double LEAST_SHARE = 0.1;

  private final LongFunction<List<Tasks>> workload;
  private final List<Integer> hosts; // the values of MV_max: small, about the sum of QMV0, more
  private final boolean simulates;

  private SweepStudy(
      String name,
      String title,
      LongFunction<List<Tasks>> workload,
      List<Integer> hosts,
      boolean simulates) {
    super(name, title);
    this.workload = workload;
    this.hosts = hosts;
    this.simulates = simulates;
  }

  /** Returns the sweep over workload 1. */
  public static SweepStudy first() {
    return new SweepStudy(
        "elastic-sweep",
        "ElasticCluster, U_max and MV_max swept over workload 1 (figures 15 to 18)",
        BagScenarios::workload1,
        List.of(70, 140, 180),
        true);
  }

  /** Returns the sweep over workload 2, in the model of the thesis alone. */
  public static SweepStudy second() {
    return new SweepStudy(
        "elastic-sweep-2",
        "ElasticCluster, U_max and MV_max swept over workload 2 (figures 19 to 22)",
        BagScenarios::workload2,
        List.of(180, 360, 540),
        false);
  }

  @Override
  public StudyResult run(Setting setting) {
    Map<Limits, PetriNetRuns> drawn = new LinkedHashMap<>();
    for (int each : hosts) {
      for (double utilisation : UTILISATIONS) {
        Limits limits = new Limits(utilisation, each);
        setting.steps().reached(ElasticPolicies.named(limits), drawn.size(), 27);
        drawn.put(limits, PetriNetRuns.cluster(workload, limits, setting.seed()));
      }
    }
    SweepClaims claims = new SweepClaims(name(), hosts, drawn);
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        OnlyFor.inText(
            "Use of clusters drawn, 5 % to 94 % (30 repetitions of 90 workloads, means)"));
    blocks.add(drawnTable(drawn));
    List<Chart> charts = new ArrayList<>(charts(drawn));
    CsvColumns<Limits> series = series(drawn);
    List<String> remarks = new ArrayList<>();
    if (simulates) {
      Simulated real = simulated(setting, drawn.keySet());
      charts.add(realChart(real));
      addTo(series, real);
      remarks.addAll(realRange(real));
    }
    blocks.add(new Grid(2, charts));
    blocks.addAll(
        ClaimBlocks.of(
            name(), "Claims of the thesis, and whether our results agree", claims.all()));
    if (simulates) {
      blocks.add(
          OnlyFor.inText(
              "Simulated tasks, each 10 %% to 100 %% of its user's estimate (%s seeds, means)"
                  .formatted(SEEDS)));
      blocks.add(Text.ofLines(remarks));
    }
    return new StudyResult(
        blocks, claims.all(), List.of(series.of(name(), List.copyOf(drawn.keySet()))));
  }

  private Simulated simulated(Setting setting, Set<Limits> pairs) {
    Map<Limits, PolicySpec> policies = new LinkedHashMap<>();
    pairs.forEach(each -> policies.put(each, ElasticPolicies.cluster(each, "makespan")));
    StudyRuns runs =
        StudyRuns.of(
            List.copyOf(policies.values()),
            seed -> BagScenarios.of(name(), workload.apply(seed), LEAST_SHARE, 0, seed),
            SEEDS,
            setting);
    return (limits, figure) -> runs.sample(of(policies, limits).name(), figure).mean();
  }

  /** Means of simulated runs. */
  private interface Simulated {
    double mean(Limits limits, Figure<StudyRun> figure);
  }

  // ---- Charts

  private List<Chart> charts(Map<Limits, PetriNetRuns> drawn) {
    double level = SweepClaims.published(name(), hosts.get(1), "level").orElseThrow();
    return List.of(
        curves(
            "started",
            "Hosts started",
            "Use drawn: hosts started, by both limits.",
            Axis.of("hosts started"),
            limits -> of(drawn, limits).mean(PetriNetRuns.STARTED),
            List.of()),
        curves(
            "reused",
            "Hosts used again",
            "Use drawn: hosts used again, by both limits. The horizontal line is the level that the"
                + " published curve reaches from U_max .65 on.",
            Axis.of("hosts used again"),
            limits -> of(drawn, limits).mean(PetriNetRuns.REUSED),
            List.of(
                Reference.horizontal("published level", level),
                Reference.vertical("from here on", SweepClaims.KNEE))),
        curves(
            "single",
            "One cluster for all bags",
            "Use drawn: share of the workloads that need one cluster only. Published: about %s %% at U_max .65, MV_max %s."
                .formatted(Numbers.fixed(SweepClaims.SINGLE, 0), hosts.get(1)),
            Axis.of("workloads", "%"),
            limits -> of(drawn, limits).mean(PetriNetRuns.SINGLE),
            List.of(Reference.horizontal("published at .65", SweepClaims.SINGLE))));
  }

  private Chart realChart(Simulated real) {
    return curves(
        "real",
        "Simulated tasks: hosts started",
        "Each task takes 10 % to 100 % of its user's estimate. The limits decide nothing.",
        Axis.of("hosts started"),
        limits -> real.mean(limits, RunFigure.STARTED),
        List.of());
  }

  private Chart curves(
      String id,
      String title,
      String description,
      Axis axis,
      ToDoubleFunction<Limits> figure,
      List<Reference> references) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (int most : hosts) {
      List<Point> points = new ArrayList<>();
      for (double each : UTILISATIONS) {
        points.add(new Point(each, figure.applyAsDouble(new Limits(each, most))));
      }
      lines.add(LineChart.Line.of("MV_max " + most, points));
    }
    return new LineChart(
        "%s-%s".formatted(name(), id),
        title,
        description,
        Axis.of("U_max"),
        axis,
        LineChart.Style.STRAIGHT,
        lines,
        references);
  }

  // ---- Drawn

  private Table drawnTable(Map<Limits, PetriNetRuns> drawn) {
    Columns<Double> columns = new Columns<Double>().text("U_max", ElasticPolicies::share);
    for (int most : hosts) {
      String heading = "MV_max " + most;
      Function<Double, PetriNetRuns> runs = each -> of(drawn, new Limits(each, most));
      columns
          .add(
              Table.Column.ofNumbers("started").withHeading(heading).withGap(4),
              each -> mean(runs.apply(each), PetriNetRuns.STARTED, 1))
          .cells(heading, "again", each -> mean(runs.apply(each), PetriNetRuns.REUSED, 1))
          .cells(heading, "one %", each -> mean(runs.apply(each), PetriNetRuns.SINGLE, 0))
          .cells(heading, "min", each -> mean(runs.apply(each), PetriNetRuns.MINUTES, 1));
    }
    return columns.table(name() + "-drawn", "Use of clusters drawn, means: ours", UTILISATIONS);
  }

  private static Table.Cell mean(
      PetriNetRuns runs, Figure<PetriNetModel.Figures> figure, int digits) {
    return Table.Cell.number(runs.mean(figure), digits);
  }

  static <T> T of(Map<Limits, T> all, Limits limits) {
    T found = all.get(limits);
    checkState(found != null, "no run for %s", limits);
    return found;
  }

  // ---- Real

  /** Returns how far the limits move the simulated runs. */
  private List<String> realRange(Simulated real) {
    String started = range(real, RunFigure.STARTED, 1);
    List<String> lines = new ArrayList<>();
    lines.add(
        "Over all 27 pairs of limits: hosts started %s, clusters %s, last end %s min, host-hours %s."
            .formatted(
                started,
                range(real, RunFigure.CLUSTERS, 2),
                range(real, RunFigure.LAST_BAG, 1),
                range(real, RunFigure.HOST_HOURS, 1)));
    if (!started.contains(" to ")) {
      lines.add(
          "A bag keeps its hosts busy until its last tasks, whatever the limits: no host idles"
              + " while the bag runs,");
      lines.add(
          "and all idle once it has ended. U_max and MV_max weigh a use that is low throughout, as"
              + " the thesis");
      lines.add("draws it.");
    }
    return lines;
  }

  private String range(Simulated real, Figure<StudyRun> figure, int digits) {
    DoubleSummaryStatistics means = new DoubleSummaryStatistics();
    for (int most : hosts) {
      UTILISATIONS.forEach(each -> means.accept(real.mean(new Limits(each, most), figure)));
    }
    String least = Numbers.fixed(means.getMin(), digits);
    String most = Numbers.fixed(means.getMax(), digits);
    return least.equals(most) ? least : least + " to " + most;
  }

  private static CsvColumns<Limits> series(Map<Limits, PetriNetRuns> drawn) {
    CsvColumns<Limits> columns =
        new CsvColumns<Limits>()
            .add("mv_max", Limits::maxHosts)
            .add("u_max", Limits::maxUtilisation);
    for (Figure<PetriNetModel.Figures> each :
        List.of(
            PetriNetRuns.STARTED,
            PetriNetRuns.REUSED,
            PetriNetRuns.CLUSTERS,
            PetriNetRuns.SINGLE,
            PetriNetRuns.MINUTES)) {
      columns.add("drawn_" + each.column(), limits -> of(drawn, limits).mean(each));
    }
    return columns;
  }

  private static void addTo(CsvColumns<Limits> columns, Simulated real) {
    columns
        .add("real_started", limits -> real.mean(limits, RunFigure.STARTED))
        .add("real_clusters", limits -> real.mean(limits, RunFigure.CLUSTERS))
        .add("real_minutes", limits -> real.mean(limits, RunFigure.LAST_BAG))
        .add("real_host_hours", limits -> real.mean(limits, RunFigure.HOST_HOURS));
  }
}
