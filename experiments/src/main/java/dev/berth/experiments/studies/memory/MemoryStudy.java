package dev.berth.experiments.studies.memory;

import dev.berth.experiments.Sample;
import dev.berth.experiments.output.ComparedBars;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.scenario.MemoryScenarios;
import dev.berth.experiments.study.ExperimentRun.Entry;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Point;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/** MEMiC against the policies it was compared with (thesis, sections 6.3 and 6.4). */
public final class MemoryStudy implements Study {

  private static final double SECOND = 1e9;

  private final String name;
  private final String title;
  private final int runs;
  private final LongFunction<Scenario> scenario;
  private final List<Entry> entries;
  private final List<String> remarks;

  private MemoryStudy(
      String name,
      String title,
      int runs,
      LongFunction<Scenario> scenario,
      List<Entry> entries,
      List<String> remarks) {
    this.name = name;
    this.title = title;
    this.runs = runs;
    this.scenario = scenario;
    this.entries = entries;
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
            "Memory suffices nearly everywhere: little to win. First fit crowds the first host with twelve jobs,",
            "and moving memory costs more here than it seems to have cost there; see docs/experiments.md."));
  }

  /** Returns scenario 2. */
  public static MemoryStudy second() {
    List<Entry> entries = new ArrayList<>(sharing());
    entries.add(
        new Entry(
            "memic, no control",
            "memic",
            "{\"reservation\":\"maximum\",\"elasticity\":{\"control\":false,\"migration\":false}}"));
    return new MemoryStudy(
        "memic-2",
        "MEMiC, scenario 2: 30 jobs of four kinds on 3 hosts (table 6.4)",
        20,
        MemoryScenarios::scenario2,
        entries,
        List.of(
            "Ours: means over 20 random orders of the jobs; the thesis has one order, not told.",
            "\"no control\" is without the controller: there an instance must hold its most from the",
            "start, since nobody gives it more. The thesis's ran in swap instead."));
  }

  /** Returns scenario 4. */
  public static MemoryStudy fourth() {
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry("dedicated"));
    entries.add(new Entry("round-robin"));
    for (String policy : List.of("first-fit", "worst-fit", "memic")) {
      for (String reservation : List.of("maximum", "initial", "average")) {
        entries.add(
            new Entry(
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
        entries,
        List.of(
            "By maximum only 30 of the 35 fit at first, the others wait for the first to end; the",
            "thesis's profiles must have left them more room."));
  }

  private static List<Entry> sharing() {
    return List.of(
        new Entry("dedicated"),
        new Entry("round-robin"),
        new Entry("first-fit"),
        new Entry("worst-fit"),
        new Entry("best-fit"),
        new Entry("memic"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public Report run(Setting setting) {
    CsvText memory = ExperimentRun.memorySeries(name + "-memory");
    Map<Entry, List<ExperimentRun>> all = new LinkedHashMap<>();
    for (Entry entry : entries) {
      List<ExperimentRun> mine = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        long seed = setting.seed() + i;
        Scenario one = scenario.apply(seed);
        mine.add(
            i == 0
                ? ExperimentRun.observed(
                    entry, one, seed, setting.registry(), MemoryScenarios.PERIOD, memory)
                : ExperimentRun.of(entry, one, seed, setting.registry()));
      }
      all.put(entry, mine);
    }
    List<String> lines = new ArrayList<>();
    lines.add(title);
    lines.add("");
    FigureTable table = table(all);
    lines.addAll(table.lines());
    lines.add("");
    List<String> verdict = new ArrayList<>(verdict(all));
    verdict.addAll(remarks);
    lines.addAll(verdict);
    List<Block> blocks = new ArrayList<>();
    blocks.add(table.block(name + "-figures", "Times in s: published and ours", "policy"));
    blocks.addAll(charts(all));
    blocks.add(Text.of(String.join(" ", verdict)));
    return new Report(lines, blocks, List.of(memory, jobs(all), totals(all)));
  }

  // ---- Charts

  private List<Block> charts(Map<Entry, List<ExperimentRun>> all) {
    PublishedTables.Table published = PublishedTables.ofMemoryThesis().table(name);
    ComparedBars total = new ComparedBars();
    ComparedBars run = new ComparedBars();
    all.forEach(
        (entry, its) -> {
          total.add(
              entry.label(),
              published.get(entry.label(), "total"),
              Sample.of(its, ExperimentRun::total));
          run.add(
              entry.label(),
              published.get(entry.label(), "run"),
              Sample.of(its, ExperimentRun::run));
        });
    return List.of(
        new Grid(
            2,
            List.of(
                total.chart(
                    name + "-total",
                    "Total time",
                    "Until the last job is done." + means(),
                    "policy",
                    Axis.of("total", "s")),
                run.chart(
                    name + "-run",
                    "Run time",
                    "Mean over the jobs, from being ready to being done." + means(),
                    "policy",
                    Axis.of("mean run", "s")))),
        done(all));
  }

  private String means() {
    return runs == 1 ? "" : " Ours: means over %s orders of the jobs, ± 95 %%.".formatted(runs);
  }

  private LineChart done(Map<Entry, List<ExperimentRun>> all) {
    List<LineChart.Line> lines = new ArrayList<>();
    all.forEach(
        (entry, its) -> {
          List<Point> points = new ArrayList<>(List.of(new Point(0, 0)));
          its.get(0).outcomes().stream()
              .mapToDouble(each -> each.report().endedAt() / SECOND)
              .sorted()
              .forEach(end -> points.add(new Point(end, points.size())));
          lines.add(LineChart.Line.of(entry.label(), points));
        });
    return new LineChart(
        name + "-done",
        "Jobs done over time",
        "Ours%s: how many jobs are done by when.".formatted(runs == 1 ? "" : ", first order"),
        Axis.of("time", "s"),
        Axis.of("jobs done"),
        LineChart.Style.STEP,
        lines,
        List.of());
  }

  // ---- Tables

  private FigureTable table(Map<Entry, List<ExperimentRun>> all) {
    PublishedTables.Table published = PublishedTables.ofMemoryThesis().table(name);
    FigureTable table = new FigureTable(3, 2, 3, 2, 3, 2, 3, 2, 3, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("total s", 2),
            new TextTable.Heading("mean run s", 2),
            new TextTable.Heading("mean start s", 2),
            new TextTable.Heading("migrations", 2),
            new TextTable.Heading("ours only", 2)));
    table.columns(
        List.of(
            "policy",
            "published",
            "ours",
            "published",
            "ours",
            "published",
            "ours",
            "published",
            "ours",
            "pauses",
            "suspensions"));
    all.forEach(
        (entry, runs) ->
            table.row(
                List.of(
                    FigureTable.words(entry.label()),
                    FigureTable.number(published.get(entry.label(), "total"), 0),
                    FigureTable.number(mean(runs, ExperimentRun::total), 0),
                    FigureTable.number(published.get(entry.label(), "run"), 0),
                    FigureTable.number(mean(runs, ExperimentRun::run), 0),
                    FigureTable.number(published.get(entry.label(), "start"), 0),
                    FigureTable.number(mean(runs, ExperimentRun::start), 0),
                    FigureTable.number(published.get(entry.label(), "migrations"), 0),
                    figure(runs, each -> each.result().adjustments().migrations()),
                    figure(runs, each -> each.result().adjustments().pauses()),
                    figure(runs, each -> each.result().adjustments().suspensions()))));
    return table;
  }

  private static double mean(List<ExperimentRun> runs, ToDoubleFunction<ExperimentRun> figure) {
    return runs.stream().mapToDouble(figure).average().orElse(0);
  }

  private static Table.Cell figure(
      List<ExperimentRun> runs, ToDoubleFunction<ExperimentRun> figure) {
    return FigureTable.number(mean(runs, figure), runs.size() == 1 ? 0 : 1);
  }

  /** Says what memic makes of the others, as far as they share hosts. */
  private List<String> verdict(Map<Entry, List<ExperimentRun>> all) {
    List<Entry> baselines =
        all.keySet().stream()
            .filter(each -> !each.policy().equals("memic") && !each.policy().equals("dedicated"))
            .toList();
    List<Entry> ours =
        all.keySet().stream()
            .filter(each -> each.policy().equals("memic") && !each.label().contains("control"))
            .toList();
    ToDoubleFunction<Entry> total =
        each -> mean(all.getOrDefault(each, List.of()), ExperimentRun::total);
    ToDoubleFunction<Entry> run =
        each -> mean(all.getOrDefault(each, List.of()), ExperimentRun::run);
    Entry best = least(baselines, total);
    Entry fastest = least(baselines, run);
    double least = ours.stream().mapToDouble(total).min().orElseThrow();
    double most = ours.stream().mapToDouble(total).max().orElseThrow();
    List<String> lines = new ArrayList<>();
    lines.add(
        "memic's total is at least %s %% below the best that shares hosts, %s; its mean run time %s %% below %s's."
            .formatted(
                percent(1 - most / total.applyAsDouble(best)),
                best.label(),
                percent(
                    1
                        - ours.stream().mapToDouble(run).max().orElseThrow()
                            / run.applyAsDouble(fastest)),
                fastest.label()));
    if (ours.size() > 1) {
      lines.add(
          "With what is reserved its total moves by %s %%.".formatted(percent(most / least - 1)));
    }
    return lines;
  }

  private static Entry least(List<Entry> entries, ToDoubleFunction<Entry> figure) {
    return entries.stream().min(Comparator.comparingDouble(figure)).orElseThrow();
  }

  private static String percent(double share) {
    return Numbers.share(100 * share, 1);
  }

  // ---- Series

  private CsvText jobs(Map<Entry, List<ExperimentRun>> all) {
    CsvText series =
        new CsvText(
            name + "-jobs",
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
    all.forEach(
        (entry, runs) ->
            runs.forEach(
                run -> {
                  for (RequestOutcome each : run.outcomes()) {
                    String key = run.result().seed() + "/" + each.request().id();
                    long nanos = ExperimentRun.runNanos(each);
                    long alone = dedicated.computeIfAbsent(key, first -> nanos);
                    series.row(
                        entry.label(),
                        run.result().seed(),
                        each.request().id(),
                        each.firstPlacedAt().orElse(0) / SECOND,
                        each.firstReadyAt().orElse(0) / SECOND,
                        each.report().endedAt() / SECOND,
                        nanos / SECOND,
                        (double) nanos / alone,
                        each.migrations());
                  }
                }));
    return series;
  }

  private CsvText totals(Map<Entry, List<ExperimentRun>> all) {
    CsvText series =
        new CsvText(
            name + "-totals",
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
    all.forEach(
        (entry, runs) ->
            runs.forEach(
                run -> {
                  var done = run.result().adjustments();
                  series.row(
                      entry.label(),
                      run.result().seed(),
                      run.total(),
                      run.run(),
                      run.start(),
                      done.migrations(),
                      done.pauses(),
                      done.suspensions(),
                      done.resumes(),
                      done.resizes());
                }));
    return series;
  }
}
