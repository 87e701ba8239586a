package dev.berth.experiments.studies.elastic;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Axis;
import dev.berth.report.Chart;
import dev.berth.report.CsvText;
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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A sweep over the limits of ElasticCluster on workload 1 (section 5.3.2). */
public final class SweepStudy extends AbstractStudy {

  private static final List<Double> UTILISATIONS =
      List.of(0.35, 0.40, 0.45, 0.50, 0.55, 0.65, 0.75, 0.85, 0.95);
  private static final List<Integer> HOSTS = List.of(70, 140, 180);
  private static final int SEEDS = 5;
  private static final double PUBLISHED_LEVEL = 56;
  private static final double PUBLISHED_SINGLE = 70; // percent, at U_max .65 and MV_max 140
  private static final double NEAR = 0.10;
  private static final double KNEE = 0.65;
  private static final double LEAST_SHARE = 0.1;

  /** Creates the study. */
  public SweepStudy() {
    super(
        "elastic-sweep",
        "ElasticCluster, U_max and MV_max swept over workload 1 (figures 15 to 18)");
  }

  @Override
  public StudyResult run(Setting setting) {
    Map<Limits, PetriNetRuns> drawn = new LinkedHashMap<>();
    Map<Limits, PolicySpec> policies = new LinkedHashMap<>();
    for (int hosts : HOSTS) {
      for (double utilisation : UTILISATIONS) {
        Limits limits = new Limits(utilisation, hosts);
        drawn.put(limits, PetriNetRuns.cluster(BagScenarios::workload1, limits, setting.seed()));
        policies.put(limits, ElasticPolicies.cluster(limits, "makespan"));
      }
    }
    StudyRuns runs =
        StudyRuns.of(
            List.copyOf(policies.values()),
            seed -> BagScenarios.of(name(), BagScenarios.workload1(seed), LEAST_SHARE, 0, seed),
            SEEDS,
            setting);
    Simulated real = (limits, figure) -> runs.sample(of(policies, limits).name(), figure).mean();
    Findings findings = findings(drawn);
    return new StudyResult(
        List.of(
            OnlyFor.inText(
                "Use of clusters drawn, 5 % to 94 % (30 repetitions of 90 workloads, means)"),
            drawnTable(drawn),
            new Grid(2, charts(drawn, real)),
            Text.ofLines(findings.words()),
            OnlyFor.inText(
                "Simulated tasks, each 10 %% to 100 %% of its user's estimate (%s seeds, means)"
                    .formatted(SEEDS)),
            Text.ofLines(realRange(real))),
        findings.claims(),
        List.of(series(drawn, real)));
  }

  /** Means of simulated runs. */
  private interface Simulated {
    double mean(Limits limits, Figure<StudyRun> figure);
  }

  // ---- Charts

  private static List<Chart> charts(Map<Limits, PetriNetRuns> drawn, Simulated real) {
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
                Reference.horizontal("published level", PUBLISHED_LEVEL),
                Reference.vertical("from here on", KNEE))),
        curves(
            "single",
            "One cluster for all bags",
            "Use drawn: share of the workloads that need one cluster only. Published: about %s %% at U_max .65, MV_max 140."
                .formatted(Numbers.fixed(PUBLISHED_SINGLE, 0)),
            Axis.of("workloads", "%"),
            limits -> of(drawn, limits).mean(PetriNetRuns.SINGLE),
            List.of(Reference.horizontal("published at .65", PUBLISHED_SINGLE))),
        curves(
            "real",
            "Simulated tasks: hosts started",
            "Each task takes 10 % to 100 % of its user's estimate. The limits decide nothing.",
            Axis.of("hosts started"),
            limits -> real.mean(limits, RunFigure.STARTED),
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

  private static Table drawnTable(Map<Limits, PetriNetRuns> drawn) {
    Columns<Double> columns = new Columns<Double>().text("U_max", ElasticPolicies::share);
    for (int hosts : HOSTS) {
      String heading = "MV_max " + hosts;
      Function<Double, PetriNetRuns> runs = each -> of(drawn, each, hosts);
      columns
          .add(
              Table.Column.ofNumbers("started").withHeading(heading).withGap(4),
              each -> mean(runs.apply(each), PetriNetRuns.STARTED, 1))
          .cells(heading, "again", each -> mean(runs.apply(each), PetriNetRuns.REUSED, 1))
          .cells(heading, "one %", each -> mean(runs.apply(each), PetriNetRuns.SINGLE, 0))
          .cells(heading, "min", each -> mean(runs.apply(each), PetriNetRuns.MINUTES, 1));
    }
    return columns.table("elastic-sweep-drawn", "Use of clusters drawn, means: ours", UTILISATIONS);
  }

  private static Table.Cell mean(
      PetriNetRuns runs, Figure<PetriNetModel.Figures> figure, int digits) {
    return Table.Cell.number(runs.mean(figure), digits);
  }

  private static <T> T of(Map<Limits, T> all, double utilisation, int hosts) {
    return of(all, new Limits(utilisation, hosts));
  }

  private static <T> T of(Map<Limits, T> all, Limits limits) {
    T found = all.get(limits);
    checkState(found != null, "no run for %s", limits);
    return found;
  }

  private record Findings(List<String> words, List<Claim> claims) {}

  private static Findings findings(Map<Limits, PetriNetRuns> drawn) {
    List<Double> fromKnee =
        UTILISATIONS.stream()
            .filter(each -> each >= KNEE)
            .map(each -> of(drawn, each, 140).mean(PetriNetRuns.REUSED))
            .toList();
    boolean near = fromKnee.stream().allMatch(each -> Math.abs(each / PUBLISHED_LEVEL - 1) <= NEAR);
    double before = slope(drawn, 0.35, KNEE);
    double after = slope(drawn, KNEE, 0.95);
    double apart = 0;
    for (double each : UTILISATIONS) {
      apart =
          Math.max(
              apart,
              of(drawn, each, 140).mean(PetriNetRuns.STARTED)
                      / of(drawn, each, 180).mean(PetriNetRuns.STARTED)
                  - 1);
    }
    double single = of(drawn, KNEE, 140).mean(PetriNetRuns.SINGLE);
    boolean oneCluster = Math.abs(single - PUBLISHED_SINGLE) <= NEAR * PUBLISHED_SINGLE;
    String least = Numbers.fixed(fromKnee.get(0), 1);
    String most = Numbers.fixed(fromKnee.get(fromKnee.size() - 1), 1);
    String gain = Numbers.fixed(100 * apart, 1);
    String share = Numbers.fixed(single, 0);
    List<String> words =
        List.of(
            "From U_max .65 on, %s to %s hosts are used again; the published curve levels off at about 56."
                .formatted(least, most),
            "Each .1 of U_max adds %s hosts used again before .65 and %s after."
                .formatted(Numbers.fixed(before, 1), Numbers.fixed(after, 1)),
            "MV_max 140, about the sum of QMV0, starts at most %s %% more hosts than 180."
                .formatted(gain),
            "At U_max .65 and MV_max 140 one cluster suffices for %s %% of the workloads; published: about 70 %%."
                .formatted(share));
    return new Findings(
        words,
        List.of(
            Claim.of(
                "level",
                "from U_max .65 on, about 56 hosts are used again (within 10 %, our criterion)",
                Numbers.fixed(PUBLISHED_LEVEL, 0),
                least + " to " + most,
                near),
            Claim.of(
                "levels-off",
                "the curve levels off at U_max .65 (a quarter of the slope or less, our criterion)",
                "",
                "%s per .1 before, %s after"
                    .formatted(Numbers.fixed(before, 1), Numbers.fixed(after, 1)),
                after <= before / 4),
            Claim.of(
                "enough-hosts",
                "MV_max near the sum of QMV0 suffices (140 starts at most 5 % more hosts than 180,"
                    + " our criterion)",
                "",
                gain + " %",
                apart <= 0.05),
            Claim.of(
                "one-cluster",
                "share of workloads with one cluster at U_max .65, MV_max 140 (within 10 %, our"
                    + " criterion)",
                "about %s %%".formatted(Numbers.fixed(PUBLISHED_SINGLE, 0)),
                share + " %",
                oneCluster)));
  }

  /** Returns how many more hosts are used again for each .1 of U_max, over a range of .3. */
  private static double slope(Map<Limits, PetriNetRuns> drawn, double from, double to) {
    return (of(drawn, to, 140).mean(PetriNetRuns.REUSED)
            - of(drawn, from, 140).mean(PetriNetRuns.REUSED))
        / (0.30 * 10);
  }

  // ---- Real

  /** Returns how far the limits move the simulated runs. */
  private static List<String> realRange(Simulated real) {
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

  private static String range(Simulated real, Figure<StudyRun> figure, int digits) {
    DoubleSummaryStatistics means = new DoubleSummaryStatistics();
    for (int hosts : HOSTS) {
      UTILISATIONS.forEach(each -> means.accept(real.mean(new Limits(each, hosts), figure)));
    }
    String least = Numbers.fixed(means.getMin(), digits);
    String most = Numbers.fixed(means.getMax(), digits);
    return least.equals(most) ? least : least + " to " + most;
  }

  private static CsvText series(Map<Limits, PetriNetRuns> drawn, Simulated real) {
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
    return columns
        .add("real_started", limits -> real.mean(limits, RunFigure.STARTED))
        .add("real_clusters", limits -> real.mean(limits, RunFigure.CLUSTERS))
        .add("real_minutes", limits -> real.mean(limits, RunFigure.LAST_BAG))
        .add("real_host_hours", limits -> real.mean(limits, RunFigure.HOST_HOURS))
        .of("elastic-sweep", drawn.keySet());
  }
}
