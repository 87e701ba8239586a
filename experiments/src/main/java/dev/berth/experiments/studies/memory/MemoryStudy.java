package dev.berth.experiments.studies.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.ComparedBars;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.scenario.MemoryScenarios;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.experiments.study.Resource;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.CsvText;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.result.RequestOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** MEMiC and the policies it was compared with (thesis, sections 6.3 and 6.4). */
public final class MemoryStudy extends AbstractStudy {

  private static final double SECOND = 1e9;
  private static final String NO_CONTROL = "memic, no control";
  private static final String ALL_RESERVED = "memic, all reserved";
  private static final List<String> UNCONTROLLED = List.of(NO_CONTROL, ALL_RESERVED);
  private static final PublishedTables PUBLISHED =
      PublishedTables.read(MemoryStudy.class, "published-memory.json");
  private static final JsonNode CLAIMS =
      Resource.json(MemoryStudy.class, "memory-claims.json"); // by study

  /** The figures that the thesis has. */
  private static final List<Figure<StudyRun>> COMPARED =
      List.of(RunFigure.TOTAL, RunFigure.RUN, RunFigure.START, RunFigure.MIGRATIONS);

  private final int runs;
  private final LongFunction<Scenario> scenario;
  private final List<PolicySpec> policies;
  private final List<String> remarks;

  private MemoryStudy(
      String name,
      String title,
      int runs,
      LongFunction<Scenario> scenario,
      List<PolicySpec> policies,
      List<String> remarks) {
    super(name, title);
    this.runs = runs;
    this.scenario = scenario;
    this.policies = policies;
    this.remarks = remarks;
  }

  /** Returns scenario 1. */
  public static MemoryStudy first() {
    return new MemoryStudy(
        "memic-1",
        "MEMiC, scenario 1: 15 jobs of two kinds on 3 hosts (table 6.3)",
        1,
        seed -> MemoryScenarios.scenario1(),
        sharing(),
        List.of(
            "Memory suffices on nearly every host, so the policies differ little. First fit crowds"
                + " twelve jobs onto",
            "the first host. Moving memory seems to cost more here than in the thesis; see"
                + " docs/experiments.md."));
  }

  /** Returns scenario 2. */
  public static MemoryStudy second() {
    List<PolicySpec> policies = new ArrayList<>(sharing());
    policies.add(uncontrolled(NO_CONTROL, "demand"));
    policies.add(uncontrolled(ALL_RESERVED, "maximum"));
    return new MemoryStudy(
        "memic-2",
        "MEMiC, scenario 2: 30 jobs of four kinds on 3 hosts (table 6.4)",
        20,
        MemoryScenarios::scenario2,
        policies,
        List.of(
            "Ours: means over 20 random orders of the jobs. The thesis has one order and does not"
                + " give it.",
            "\"no control\" runs without the controller, on hosts that give an instance memory when it"
                + " touches it, as",
            "KVM does. \"all reserved\" has no controller either, and each instance has its maximum from"
                + " the start. The",
            "maxima of 30 jobs do not fit on the hosts, so jobs wait."));
  }

  private static PolicySpec uncontrolled(String label, String reservation) {
    return PolicySpec.of(
        label,
        "memic",
        "{\"reservation\":\"%s\",\"elasticity\":{\"control\":false,\"migration\":false}}"
            .formatted(reservation));
  }

  /** Returns scenario 4. */
  public static MemoryStudy fourth() {
    List<PolicySpec> policies = new ArrayList<>();
    policies.add(PolicySpec.of("dedicated"));
    policies.add(PolicySpec.of("round-robin"));
    for (String policy : List.of("first-fit", "worst-fit", "memic")) {
      for (String reservation : List.of("maximum", "initial", "average")) {
        policies.add(
            PolicySpec.of(
                policy + ", " + reservation,
                policy,
                "{\"reservation\":\"%s\"}".formatted(reservation)));
      }
    }
    return new MemoryStudy(
        "memic-4",
        "MEMiC, scenario 4: 35 jobs of three kinds on 6 hosts, by what is reserved (table 6.5)",
        1,
        seed -> MemoryScenarios.scenario4(),
        policies,
        List.of(
            "With the maximum reserved only 30 of the 35 jobs fit at first; the others wait until"
                + " jobs end.",
            "The profiles of the thesis must have left more room."));
  }

  private static List<PolicySpec> sharing() {
    return List.of(
        PolicySpec.of("dedicated"),
        PolicySpec.of("round-robin"),
        PolicySpec.of("first-fit"),
        PolicySpec.of("worst-fit"),
        PolicySpec.of("best-fit"),
        PolicySpec.of("memic"));
  }

  @Override
  public StudyResult run(Setting setting) {
    List<HostMemory> memory = new ArrayList<>();
    StudyRuns all =
        StudyRuns.of(
            policies,
            runs,
            setting,
            (spec, seed) -> {
              ComparedPolicy policy = spec.resolve(setting.registry());
              Scenario one =
                  spec.name().equals(NO_CONTROL)
                      ? MemoryScenarios.overcommitted2(seed)
                      : scenario.apply(seed);
              return seed == setting.seed()
                  ? StudyRun.observed(
                      policy,
                      one,
                      seed,
                      MemoryScenarios.PERIOD,
                      (time, simulation) ->
                          simulation
                              .scheduler()
                              .hosts()
                              .forEach(
                                  each -> memory.add(HostMemory.of(policy.label(), time, each))))
                  : StudyRun.of(policy, one, seed);
            });
    List<String> words = words(all);
    words.addAll(remarks);
    List<Claim> claims = claims(all);
    List<Block> blocks = new ArrayList<>();
    blocks.add(table(all));
    blocks.addAll(charts(all));
    blocks.add(Text.ofLines(words));
    blocks.addAll(
        ClaimBlocks.of(name(), "Claims of the thesis, and whether our results agree", claims));
    return new StudyResult(
        blocks,
        claims,
        List.of(HostMemory.csv(name() + "-memory", memory), jobs(all), totals(all)));
  }

  // ---- Charts

  private List<Block> charts(StudyRuns all) {
    return List.of(
        new Grid(
            2,
            List.of(
                bars(all, RunFigure.TOTAL, "Total time", "Time until the last job ends.", "total"),
                bars(
                    all,
                    RunFigure.RUN,
                    "Run time",
                    "Mean over the jobs, from being ready to the end.",
                    "mean run"))),
        done(all));
  }

  private Chart bars(
      StudyRuns all, Figure<StudyRun> figure, String title, String description, String axis) {
    ComparedBars bars = new ComparedBars();
    for (String each : all.labels()) {
      bars.add(each, PUBLISHED.table(name()).get(each, figure.key()), all.sample(each, figure));
    }
    return bars.chart(
        "%s-%s".formatted(name(), figure.key()),
        title,
        description + means(),
        "policy",
        Axis.of(axis, "s"));
  }

  private String means() {
    return runs == 1 ? "" : " Ours: means over %s orders of the jobs, ± 95 %%.".formatted(runs);
  }

  private LineChart done(StudyRuns all) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (String label : all.labels()) {
      List<Point> points = new ArrayList<>(List.of(new Point(0, 0)));
      all.first(label).outcomes().stream()
          .mapToDouble(each -> each.report().endedAt() / SECOND)
          .sorted()
          .forEach(end -> points.add(new Point(end, points.size())));
      lines.add(LineChart.Line.of(label, points));
    }
    return new LineChart(
        name() + "-done",
        "Jobs done over time",
        "Ours%s: number of jobs done.".formatted(runs == 1 ? "" : ", first order"),
        Axis.of("time", "s"),
        Axis.of("jobs done"),
        LineChart.Style.STEP,
        lines,
        List.of());
  }

  // ---- Table

  private Table table(StudyRuns all) {
    PublishedTables.Table published = PUBLISHED.table(name());
    int digits = runs == 1 ? 0 : 1; // of means of counts
    Columns<String> columns = new Columns<String>().text("policy", label -> label);
    for (Figure<StudyRun> each : COMPARED) {
      int shown = each.digits() == 0 ? digits : 0;
      columns.compared(
          each.words(),
          label -> Table.Cell.number(published.get(label, each.key()), 0),
          label -> Table.Cell.number(all.mean(label, each), shown));
    }
    return columns
        .add(
            Table.Column.ofNumbers("pauses").withHeading("ours only").withGap(3),
            label -> Table.Cell.number(all.mean(label, RunFigure.PAUSES), digits))
        .cells(
            "ours only",
            "suspensions",
            label -> Table.Cell.number(all.mean(label, RunFigure.SUSPENSIONS), digits))
        .table(name() + "-figures", "Times in s: published and ours", all.labels());
  }

  // ---- Claims

  private List<Claim> claims(StudyRuns all) {
    FigureClaim.Figures theirs =
        (figure, label) -> PUBLISHED.table(name()).get(label, figure).orElse(Double.NaN);
    FigureClaim.Figures ours =
        (figure, label) ->
            figure.equals("deviation")
                ? all.sample(label, RunFigure.TOTAL).deviation()
                : all.mean(label, named(figure)).orElse(Double.NaN);
    List<Claim> claims = new ArrayList<>();
    CLAIMS.get(name()).forEach(each -> claims.add(FigureClaim.of(each).check(theirs, ours)));
    return claims;
  }

  private static Figure<StudyRun> named(String figure) {
    return Stream.concat(COMPARED.stream(), Stream.of(RunFigure.WORST_RUN))
        .filter(each -> each.key().equals(figure))
        .findFirst()
        .orElseThrow();
  }

  /** Compares memic with the other policies that share hosts. */
  private List<String> words(StudyRuns all) {
    List<String> baselines = new ArrayList<>();
    List<String> ours = new ArrayList<>();
    for (PolicySpec each : policies) {
      if (!each.policy().equals("memic") && !each.policy().equals("dedicated")) {
        baselines.add(each.name());
      } else if (each.policy().equals("memic") && !UNCONTROLLED.contains(each.name())) {
        ours.add(each.name());
      }
    }
    Function<String, OptionalDouble> total = each -> all.mean(each, RunFigure.TOTAL);
    Function<String, OptionalDouble> run = each -> all.mean(each, RunFigure.RUN);
    List<String> words = new ArrayList<>();
    words.add(
        "memic's total time is at least %s %% below that of %s, the best of the others that share hosts."
            .formatted(
                percent(1 - most(ours, total) / least(baselines, total)), best(baselines, total)));
    words.add(
        "Its mean run time is at least %s %% below that of %s, the best of the others."
            .formatted(percent(1 - most(ours, run) / least(baselines, run)), best(baselines, run)));
    if (ours.size() > 1) {
      words.add(
          "What is reserved changes its total time by at most %s %%."
              .formatted(percent(most(ours, total) / least(ours, total) - 1)));
    }
    return words;
  }

  private static String best(List<String> labels, Function<String, OptionalDouble> figure) {
    return labels.stream()
        .min(Comparator.comparingDouble(each -> figure.apply(each).orElseThrow()))
        .orElseThrow();
  }

  private static double least(List<String> labels, Function<String, OptionalDouble> figure) {
    return labels.stream().flatMapToDouble(each -> figure.apply(each).stream()).min().orElseThrow();
  }

  private static double most(List<String> labels, Function<String, OptionalDouble> figure) {
    return labels.stream().flatMapToDouble(each -> figure.apply(each).stream()).max().orElseThrow();
  }

  private static String percent(double share) {
    return Numbers.fixed(100 * share, 1);
  }

  // ---- Series

  private CsvText jobs(StudyRuns all) {
    record Row(StudyRun run, RequestOutcome job) {
      String key() {
        return run.result().seed() + "/" + job.request().id();
      }
    }
    List<Row> rows = new ArrayList<>();
    all.all().forEach(run -> run.outcomes().forEach(each -> rows.add(new Row(run, each))));
    Map<String, Long> dedicated = new HashMap<>();
    rows.forEach(each -> dedicated.putIfAbsent(each.key(), StudyRun.runNanos(each.job())));
    return new CsvColumns<Row>()
        .add("policy", each -> each.run().label())
        .add("seed", each -> each.run().result().seed())
        .add("job", each -> each.job().request().id())
        .add("placed_s", each -> each.job().firstPlacedAt().orElse(0) / SECOND)
        .add("ready_s", each -> each.job().firstReadyAt().orElse(0) / SECOND)
        .add("done_s", each -> each.job().report().endedAt() / SECOND)
        .add("run_s", each -> StudyRun.runNanos(each.job()) / SECOND)
        .add(
            "run_by_dedicated",
            each ->
                (double) StudyRun.runNanos(each.job())
                    / Objects.requireNonNull(dedicated.get(each.key())))
        .add("migrations", each -> each.job().migrations())
        .of(name() + "-jobs", rows);
  }

  private CsvText totals(StudyRuns all) {
    return all.series(
        name() + "-totals",
        List.of(
            RunFigure.TOTAL,
            RunFigure.RUN,
            RunFigure.START,
            RunFigure.MIGRATIONS,
            RunFigure.PAUSES,
            RunFigure.SUSPENSIONS,
            RunFigure.RESUMES,
            RunFigure.RESIZES));
  }
}
