package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.Sample;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.experiments.study.Study;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Axis;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Limits of ElasticCluster swept over workload 1 (section 5.3.2). */
public final class SweepStudy implements Study {

  private static final List<Double> UTILISATIONS =
      List.of(0.35, 0.40, 0.45, 0.50, 0.55, 0.65, 0.75, 0.85, 0.95);
  private static final List<Integer> HOSTS = List.of(70, 140, 180);
  private static final int SEEDS = 5;
  private static final double PUBLISHED_LEVEL = 56;
  private static final double PUBLISHED_SINGLE = 70; // percent, at U_max .65 and MV_max 140
  private static final double NEAR = 0.10;
  private static final double KNEE = 0.65;
  private static final double LEAST_SHARE = 0.1;

  @Override
  public String name() {
    return "elastic-sweep";
  }

  @Override
  public String title() {
    return "ElasticCluster, U_max and MV_max swept over workload 1 (figures 15 to 18)";
  }

  @Override
  public Report run(Setting setting) {
    List<String> lines = new ArrayList<>(List.of(title(), ""));
    lines.add("Use of clusters drawn, 5 % to 94 % (30 repetitions of 90 workloads, means)");
    lines.add("");
    Map<Limits, PetriNetRuns> drawn = new LinkedHashMap<>();
    for (int hosts : HOSTS) {
      for (double utilisation : UTILISATIONS) {
        Limits limits = new Limits(utilisation, hosts);
        drawn.put(limits, PetriNetRuns.cluster(BagScenarios::workload1, limits, setting.seed()));
      }
    }
    FigureTable table = drawnTable(drawn);
    lines.addAll(table.lines());
    lines.add("");
    List<String> statements = statements(drawn);
    lines.addAll(statements);
    lines.add("");
    lines.add(
        "Tasks run, each 10 %% to 100 %% of what its user says (%s seeds, means)".formatted(SEEDS));
    lines.add("");
    Map<Limits, List<ElasticRun>> real = new LinkedHashMap<>();
    for (Limits limits : drawn.keySet()) {
      ExperimentRun.Entry entry = ElasticExperiment.cluster(limits, "makespan");
      real.put(
          limits,
          ElasticExperiment.run(
                  List.of(entry),
                  seed ->
                      ElasticExperiment.scenario(
                          name(), BagScenarios.workload1(seed), LEAST_SHARE, seed),
                  SEEDS,
                  setting)
              .get(entry));
    }
    List<String> range = realRange(real);
    lines.addAll(range);
    return new Report(
        lines,
        List.of(
            table.block(name() + "-drawn", "Use of clusters drawn, means: ours", "U_max"),
            new Grid(2, charts(drawn, real)),
            Text.of(String.join(" ", statements), String.join(" ", range))),
        List.of(series(drawn, real)));
  }

  // ---- Charts

  private static List<Chart> charts(
      Map<Limits, PetriNetRuns> drawn, Map<Limits, List<ElasticRun>> real) {
    return List.of(
        curves(
            "started",
            "Hosts started",
            "Use drawn: hosts started, by both limits.",
            Axis.of("hosts started"),
            limits -> of(drawn, limits).started().mean(),
            List.of()),
        curves(
            "reused",
            "Hosts used again",
            "Use drawn: hosts used again, by both limits. Across: where the published curve levels off "
                + "from U_max .65 on.",
            Axis.of("hosts used again"),
            limits -> of(drawn, limits).reused().mean(),
            List.of(
                Reference.horizontal("published level", PUBLISHED_LEVEL),
                Reference.vertical("from here on", KNEE))),
        curves(
            "single",
            "One cluster for all bags",
            "Use drawn: what part of the workloads needs one cluster only. Published: about %s %% at U_max .65, MV_max 140."
                .formatted(Numbers.share(PUBLISHED_SINGLE, 0)),
            Axis.of("workloads", "%"),
            limits -> of(drawn, limits).single().mean(),
            List.of(Reference.horizontal("published at .65", PUBLISHED_SINGLE))),
        curves(
            "real",
            "Tasks that run: hosts started",
            "Each task 10 % to 100 % as long as its user says: the limits decide nothing.",
            Axis.of("hosts started"),
            limits -> Sample.of(of(real, limits), ElasticRun::started).mean(),
            List.of()));
  }

  private static Chart curves(
      String id,
      String title,
      String description,
      Axis axis,
      ToDoubleFunction<Limits> figure,
      List<Reference> references) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (int hosts : HOSTS) {
      List<Point> points = new ArrayList<>();
      for (double each : UTILISATIONS) {
        points.add(new Point(each, figure.applyAsDouble(new Limits(each, hosts))));
      }
      lines.add(LineChart.Line.of("MV_max " + hosts, points));
    }
    return new LineChart(
        "elastic-sweep-" + id,
        title,
        description,
        Axis.of("U_max"),
        axis,
        LineChart.Style.STRAIGHT,
        lines,
        references);
  }

  // ---- Drawn

  private static FigureTable drawnTable(Map<Limits, PetriNetRuns> drawn) {
    FigureTable table = new FigureTable(4, 2, 2, 2, 4, 2, 2, 2, 4, 2, 2, 2);
    List<TextTable.Heading> headings = new ArrayList<>(List.of(new TextTable.Heading("", 1)));
    HOSTS.forEach(each -> headings.add(new TextTable.Heading("MV_max " + each, 4)));
    table.headings(headings);
    List<String> columns = new ArrayList<>(List.of("U_max"));
    HOSTS.forEach(each -> columns.addAll(List.of("started", "again", "one %", "min")));
    table.columns(columns);
    for (double utilisation : UTILISATIONS) {
      List<Table.Cell> row =
          new ArrayList<>(List.of(FigureTable.words(ElasticExperiment.shareOf(utilisation))));
      for (int hosts : HOSTS) {
        PetriNetRuns runs = of(drawn, utilisation, hosts);
        row.add(FigureTable.number(runs.started().mean(), 1));
        row.add(FigureTable.number(runs.reused().mean(), 1));
        row.add(FigureTable.number(runs.single().mean(), 0));
        row.add(FigureTable.number(runs.minutes().mean(), 1));
      }
      table.row(row);
    }
    return table;
  }

  private static <T> T of(Map<Limits, T> all, double utilisation, int hosts) {
    return of(all, new Limits(utilisation, hosts));
  }

  private static <T> T of(Map<Limits, T> all, Limits limits) {
    T found = all.get(limits);
    if (found == null) {
      throw new IllegalStateException("no run for " + limits);
    }
    return found;
  }

  private static List<String> statements(Map<Limits, PetriNetRuns> drawn) {
    List<Double> fromKnee =
        UTILISATIONS.stream()
            .filter(each -> each >= KNEE)
            .map(each -> of(drawn, each, 140).reused().mean())
            .toList();
    boolean near = fromKnee.stream().allMatch(each -> Math.abs(each / PUBLISHED_LEVEL - 1) <= NEAR);
    double before =
        slope(of(drawn, 0.35, 140).reused().mean(), of(drawn, KNEE, 140).reused().mean(), 0.30);
    double after =
        slope(of(drawn, KNEE, 140).reused().mean(), of(drawn, 0.95, 140).reused().mean(), 0.30);
    double apart = 0;
    for (double each : UTILISATIONS) {
      apart =
          Math.max(
              apart,
              of(drawn, each, 140).started().mean() / of(drawn, each, 180).started().mean() - 1);
    }
    double single = of(drawn, KNEE, 140).single().mean();
    return List.of(
        "Levels off at U_max .65, at about 56 hosts used again: %s. Ours from .65 on %s to %s; each .1 of"
            .formatted(
                !near ? "no" : after <= before / 4 ? "yes" : "partly",
                Numbers.share(fromKnee.get(0), 1),
                Numbers.share(fromKnee.get(fromKnee.size() - 1), 1)),
        "  U_max brings %s more before .65 and %s after."
            .formatted(Numbers.share(before, 1), Numbers.share(after, 1)),
        "MV_max about the sum of QMV0 suffices: %s. 140 starts at most %s %% more hosts than 180."
            .formatted(yes(apart <= 0.05), Numbers.share(100 * apart, 1)),
        "One cluster in about 70 %% of the workloads at U_max .65, MV_max 140: %s. Ours %s %%."
            .formatted(
                yes(Math.abs(single - PUBLISHED_SINGLE) <= NEAR * PUBLISHED_SINGLE),
                Numbers.share(single, 0)));
  }

  private static double slope(double from, double to, double range) {
    return (to - from) / (range * 10);
  }

  private static String yes(boolean holds) {
    return holds ? "yes" : "no";
  }

  // ---- Real

  /** Says how far the limits move what really runs. */
  private static List<String> realRange(Map<Limits, List<ElasticRun>> real) {
    String started = range(real, ElasticRun::started, 1);
    List<String> lines = new ArrayList<>();
    lines.add(
        "Over all 27 pairs of limits: hosts started %s, clusters %s, last end %s min, host-hours %s."
            .formatted(
                started,
                range(real, ElasticRun::clusters, 2),
                range(real, ElasticRun::minutes, 1),
                range(real, ElasticRun::hostHours, 1)));
    if (!started.contains(" to ")) {
      lines.add(
          "A bag keeps its hosts busy until its last tasks: as long as it runs nothing idles, whatever the");
      lines.add(
          "limits, and when it has ended everything does. What U_max and MV_max weigh is use that is low all");
      lines.add("through, as the thesis draws it.");
    }
    return lines;
  }

  private static String range(
      Map<Limits, List<ElasticRun>> real, ToDoubleFunction<ElasticRun> figure, int digits) {
    DoubleSummaryStatistics means =
        real.values().stream()
            .mapToDouble(runs -> Sample.of(runs, figure).mean())
            .summaryStatistics();
    String least = Numbers.share(means.getMin(), digits);
    String most = Numbers.share(means.getMax(), digits);
    return least.equals(most) ? least : least + " to " + most;
  }

  private static CsvText series(Map<Limits, PetriNetRuns> drawn, Map<Limits, List<ElasticRun>> real) {
    CsvText series =
        new CsvText(
            "elastic-sweep",
            "mv_max",
            "u_max",
            "drawn_started",
            "drawn_used_again",
            "drawn_clusters",
            "drawn_single_percent",
            "drawn_minutes",
            "real_started",
            "real_clusters",
            "real_minutes",
            "real_host_hours");
    drawn.forEach(
        (limits, runs) -> {
          List<ElasticRun> ran = of(real, limits.maxUtilisation(), limits.maxHosts());
          series.row(
              limits.maxHosts(),
              limits.maxUtilisation(),
              runs.started().mean(),
              runs.reused().mean(),
              runs.clusters().mean(),
              runs.single().mean(),
              runs.minutes().mean(),
              Sample.of(ran, ElasticRun::started).mean(),
              Sample.of(ran, ElasticRun::clusters).mean(),
              Sample.of(ran, ElasticRun::minutes).mean(),
              Sample.of(ran, ElasticRun::hostHours).mean());
        });
    return series;
  }
}
