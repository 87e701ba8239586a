package dev.berth.experiments.studies.memory;

import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.output.ComparedBars;
import dev.berth.experiments.scenario.MemoryScenarios;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;

/** MEMiC and the policies it was compared with (thesis, sections 6.3 and 6.4). */
public final class MemoryStudy extends AbstractStudy {

  private static final double SECOND = 1e9;
  private static final double LITTLE = 0.01;
  private static final PublishedTables PUBLISHED =
      PublishedTables.read(MemoryStudy.class, "published-memory.json");

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
            "Memory suffices on nearly every host, so the policies differ little. First fit crowds twelve jobs onto",
            "the first host. Moving memory seems to cost more here than in the thesis; see docs/experiments.md."));
  }

  /** Returns scenario 2. */
  public static MemoryStudy second() {
    List<PolicySpec> policies = new ArrayList<>(sharing());
    policies.add(
        PolicySpec.of(
            "memic, no control",
            "memic",
            "{\"reservation\":\"maximum\",\"elasticity\":{\"control\":false,\"migration\":false}}"));
    return new MemoryStudy(
        "memic-2",
        "MEMiC, scenario 2: 30 jobs of four kinds on 3 hosts (table 6.4)",
        20,
        MemoryScenarios::scenario2,
        policies,
        List.of(
            "Ours: means over 20 random orders of the jobs. The thesis has one order and does not give it.",
            "\"no control\" runs without the controller: an instance needs its maximum from the start, because",
            "it is never granted more. In the thesis such instances swapped instead."));
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
            "With the maximum reserved only 30 of the 35 jobs fit at first; the others wait until jobs end.",
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
    HostMemorySeries memory = new HostMemorySeries(name() + "-memory");
    StudyRuns all =
        StudyRuns.of(
            policies,
            runs,
            setting,
            (policy, seed) -> {
              Scenario one = scenario.apply(seed);
              return seed == setting.seed()
                  ? StudyRun.observed(
                      policy,
                      one,
                      seed,
                      MemoryScenarios.PERIOD,
                      (time, simulation) -> memory.add(policy.label(), time, simulation))
                  : StudyRun.of(policy, one, seed);
            });
    Verdict verdict = verdict(all);
    List<String> words = new ArrayList<>(verdict.words());
    words.addAll(remarks);
    List<Block> blocks = new ArrayList<>();
    blocks.add(table(all));
    blocks.addAll(charts(all));
    blocks.add(Text.ofLines(words));
    return new StudyResult(blocks, verdict.claims(), List.of(memory.csv(), jobs(all), totals(all)));
  }

  // ---- Charts

  private List<Block> charts(StudyRuns all) {
    PublishedTables.Table published = PUBLISHED.table(name());
    ComparedBars total = new ComparedBars();
    ComparedBars run = new ComparedBars();
    for (String each : all.labels()) {
      total.add(each, published.get(each, "total"), all.sample(each, RunFigure.TOTAL));
      run.add(each, published.get(each, "run"), all.sample(each, RunFigure.RUN));
    }
    return List.of(
        new Grid(
            2,
            List.of(
                total.chart(
                    name() + "-total",
                    "Total time",
                    "Time until the last job ends." + means(),
                    "policy",
                    Axis.of("total", "s")),
                run.chart(
                    name() + "-run",
                    "Run time",
                    "Mean over the jobs, from being ready to the end." + means(),
                    "policy",
                    Axis.of("mean run", "s")))),
        done(all));
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
    Table.Builder table =
        Table.builder(name() + "-figures", "Times in s: published and ours")
            .column(Table.Column.ofText("policy"));
    for (String heading : List.of("total s", "mean run s", "mean start s", "migrations")) {
      table
          .column(Table.Column.ofNumbers("published").withHeading(heading).withGap(3))
          .column(Table.Column.ofNumbers("ours").withHeading(heading));
    }
    table
        .column(Table.Column.ofNumbers("pauses").withHeading("ours only").withGap(3))
        .column(Table.Column.ofNumbers("suspensions").withHeading("ours only"));
    int digits = runs == 1 ? 0 : 1;
    for (String each : all.labels()) {
      table.row(
          Table.Cell.of(each),
          Table.Cell.number(published.get(each, "total"), 0),
          Table.Cell.number(all.mean(each, RunFigure.TOTAL), 0),
          Table.Cell.number(published.get(each, "run"), 0),
          Table.Cell.number(all.mean(each, RunFigure.RUN), 0),
          Table.Cell.number(published.get(each, "start"), 0),
          Table.Cell.number(all.mean(each, RunFigure.START), 0),
          Table.Cell.number(published.get(each, "migrations"), 0),
          Table.Cell.number(all.mean(each, RunFigure.MIGRATIONS), digits),
          Table.Cell.number(all.mean(each, RunFigure.PAUSES), digits),
          Table.Cell.number(all.mean(each, RunFigure.SUSPENSIONS), digits));
    }
    return table.build();
  }

  // ---- Claims

  private record Verdict(List<String> words, List<Claim> claims) {}

  /** Compares memic with the other policies that share hosts. */
  private Verdict verdict(StudyRuns all) {
    List<String> baselines = new ArrayList<>();
    List<String> ours = new ArrayList<>();
    for (PolicySpec each : policies) {
      if (!each.policy().equals("memic") && !each.policy().equals("dedicated")) {
        baselines.add(each.name());
      } else if (each.policy().equals("memic") && !each.name().contains("control")) {
        ours.add(each.name());
      }
    }
    PublishedTables.Table published = PUBLISHED.table(name());
    Function<String, OptionalDouble> total = each -> all.mean(each, RunFigure.TOTAL);
    Function<String, OptionalDouble> run = each -> all.mean(each, RunFigure.RUN);
    double below = 1 - most(ours, total) / least(baselines, total);
    double faster = 1 - most(ours, run) / least(baselines, run);
    List<String> words = new ArrayList<>();
    words.add(
        "memic's total time is at least %s %% below that of %s, the best of the others that share hosts."
            .formatted(percent(below), best(baselines, total)));
    words.add(
        "Its mean run time is at least %s %% below that of %s, the best of the others."
            .formatted(percent(faster), best(baselines, run)));
    if (ours.size() > 1) {
      words.add(
          "What is reserved changes its total time by at most %s %%."
              .formatted(percent(spread(ours, total))));
    }
    List<Claim> claims = new ArrayList<>();
    claims.addAll(
        List.of(
            claim(
                "least-total",
                "memic has the least total time of the policies that share hosts",
                baselines,
                ours,
                label -> published.get(label, "total"),
                below),
            claim(
                "least-run",
                "memic has the least mean run time of the policies that share hosts",
                baselines,
                ours,
                label -> published.get(label, "run"),
                faster)));
    if (ours.size() > 1) {
      claims.addAll(claimsOnReservations(all, ours));
    }
    return new Verdict(words, claims);
  }

  /** What the thesis says of MEMiC with different reservations (section 6.4). */
  private List<Claim> claimsOnReservations(StudyRuns all, List<String> ours) {
    PublishedTables.Table published = PUBLISHED.table(name());
    double spread = spread(ours, each -> all.mean(each, RunFigure.RUN));
    double migrations = most(ours, each -> all.mean(each, RunFigure.MIGRATIONS));
    return List.of(
        Claim.of(
            "same-run",
            "what is reserved changes memic's mean run time by less than 1 %",
            "by %s %%".formatted(percent(spread(ours, each -> published.get(each, "run")))),
            "by %s %%".formatted(percent(spread)),
            spread < LITTLE),
        Claim.of(
            "no-migration",
            "memic migrates no job, whatever is reserved",
            Numbers.fixed(most(ours, each -> published.get(each, "migrations")), 0),
            Numbers.fixed(migrations, 0),
            migrations == 0));
  }

  private static Claim claim(
      String id,
      String words,
      List<String> baselines,
      List<String> ours,
      Function<String, OptionalDouble> published,
      double gain) {
    double theirs = 1 - most(ours, published) / least(baselines, published);
    return Claim.of(
        id,
        words,
        "by %s %%".formatted(percent(theirs)),
        "by %s %%".formatted(percent(gain)),
        gain > 0);
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

  /** Returns by what share the greatest figure exceeds the least. */
  private static double spread(List<String> labels, Function<String, OptionalDouble> figure) {
    return most(labels, figure) / least(labels, figure) - 1;
  }

  private static String percent(double share) {
    return Numbers.fixed(100 * share, 1);
  }

  // ---- Series

  private CsvText jobs(StudyRuns all) {
    CsvText series =
        new CsvText(
            name() + "-jobs",
            "policy",
            "seed",
            "job",
            "placed_s",
            "ready_s",
            "done_s",
            "run_s",
            "run_by_dedicated",
            "migrations");
    Map<String, Long> dedicated = new HashMap<>();
    for (String label : all.labels()) {
      for (StudyRun run : all.runs(label)) {
        for (RequestOutcome each : run.outcomes()) {
          String key = run.result().seed() + "/" + each.request().id();
          long nanos = StudyRun.runNanos(each);
          long alone = dedicated.computeIfAbsent(key, first -> nanos);
          series.row(
              label,
              run.result().seed(),
              each.request().id(),
              each.firstPlacedAt().orElse(0) / SECOND,
              each.firstReadyAt().orElse(0) / SECOND,
              each.report().endedAt() / SECOND,
              nanos / SECOND,
              (double) nanos / alone,
              each.migrations());
        }
      }
    }
    return series;
  }

  private CsvText totals(StudyRuns all) {
    CsvText series =
        new CsvText(
            name() + "-totals",
            "policy",
            "seed",
            "total_s",
            "mean_run_s",
            "mean_start_s",
            "migrations",
            "pauses",
            "suspensions",
            "resumes",
            "resizes");
    for (String label : all.labels()) {
      for (StudyRun run : all.runs(label)) {
        var done = run.result().adjustments();
        series.row(
            label,
            run.result().seed(),
            run.get(RunFigure.TOTAL),
            run.get(RunFigure.RUN),
            run.get(RunFigure.START),
            done.migrations(),
            done.pauses(),
            done.suspensions(),
            done.resumes(),
            done.resizes());
      }
    }
    return series;
  }
}
