package dev.berth.experiments.studies.memory;

import dev.berth.experiments.output.ComparedBars;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.scenario.QueueScenarios;
import dev.berth.experiments.study.ExperimentRun.Entry;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.LoggedJob;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.Scenario;
import dev.berth.traces.InputException;
import dev.berth.traces.format.swf.SwfLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Queue disciplines on the jobs of a real log (thesis, chapter 4). */
public final class QueueStudy implements Study {

  private static final double SECOND = 1e9;
  private static final String AGGRESSIVE = " + aggressive";
  private static final double ALIKE = 0.05;

  private final String name;
  private final String title;
  private final Input log;
  private final int jobs;
  private final int cores;
  private final List<Entry> entries;
  private final List<Statement> statements;
  private final List<String> remarks;

  private QueueStudy(
      String name,
      String title,
      Input log,
      int jobs,
      int cores,
      List<Entry> entries,
      List<Statement> statements,
      List<String> remarks) {
    this.name = name;
    this.title = title;
    this.log = log;
    this.jobs = jobs;
    this.cores = cores;
    this.entries = entries;
    this.statements = statements;
    this.remarks = remarks;
  }

  /** What the thesis says of its results, as a test of ours. */
  private record Statement(String words, Predicate<Figures> holds) {}

  /** Our results, by label. */
  private record Figures(Map<String, ExperimentRun> runs) {

    private ExperimentRun run(String label) {
      ExperimentRun run = runs.get(label);
      if (run == null) {
        throw new IllegalStateException("nothing was run for " + label);
      }
      return run;
    }

    double late(String label) {
      return run(label).late();
    }

    double total(String label) {
      return run(label).total();
    }

    double lateness(String label) {
      return run(label).lateness();
    }

    double turnaround(String label) {
      return run(label).turnaround();
    }
  }

  // ---- The experiments

  /** Returns experiment A on CEA Curie. */
  public static QueueStudy cea() {
    return new QueueStudy(
        "queues-cea",
        "Queue disciplines on CEA Curie: 350 jobs, 200 cores (table 4.1)",
        new Input("CEA-Curie-2011-2.1-cln.swf.gz", "of the Parallel Workloads Archive"),
        350,
        200,
        disciplines(),
        List.of(
            shorterByBackfilling(),
            new Statement(
                "of those without backfilling FCF has the least total time",
                it -> it.total("fcf") <= Math.min(it.total("fifo"), it.total("edf"))),
            new Statement(
                "EDF and SGF, without backfilling, are late least often",
                it ->
                    Math.max(it.late("edf"), it.late("sgf"))
                        < Math.min(
                            Math.min(it.late("fifo" + AGGRESSIVE), it.late("fcf")),
                            it.late("edf" + AGGRESSIVE))),
            moreLatenessByBackfilling(),
            leastLateness(),
            alike(),
            new Statement(
                "EDF and SGF with backfilling have the least mean turnaround",
                it ->
                    Math.max(it.turnaround("edf" + AGGRESSIVE), it.turnaround("sgf" + AGGRESSIVE))
                        < Math.min(
                            Math.min(it.turnaround("fifo" + AGGRESSIVE), it.turnaround("fcf")),
                            it.turnaround("edf"))),
            sjf()),
        List.of(
            "Their cut of the log is lighter: FIFO makes 242 late there, and nearly all with the cut told here.",
            "The backlog is then far beyond most deadlines, which are multiples of the run time: EDF, without",
            "backfilling, runs the short jobs first (so its turnaround is near SJF's) but waits for cores for",
            "the wide ones; with backfilling more small jobs are in time, and the wide ones pay."));
  }

  /** Returns experiment A on HPC2N. */
  public static QueueStudy hpc2n() {
    return new QueueStudy(
        "queues-hpc2n",
        "Queue disciplines on HPC2N: 200 jobs, 200 cores (table 4.2)",
        new Input("HPC2N-2002-2.2-cln.swf.gz", "of the Parallel Workloads Archive"),
        200,
        200,
        disciplines(),
        List.of(
            shorterByBackfilling(),
            new Statement(
                "EDF and SGF have longer total times than FIFO and FCF",
                it ->
                    Math.min(it.total("edf"), it.total("sgf"))
                        >= Math.max(it.total("fifo"), it.total("fcf"))),
            new Statement(
                "FIFO is late at least twice as often as EDF",
                it -> it.late("fifo") >= 2 * it.late("edf")),
            fewerLateByBackfilling(),
            leastLateness(),
            moreLatenessByBackfilling(),
            alike(),
            fasterByBackfilling(),
            sjf()),
        List.of(
            "Their jobs use 35 cores on average, those of this log's beginning half as many: the head of the",
            "queue seldom waits for cores, EDF is hardly ever late, and whoever passes it can only do harm."));
  }

  /** Returns experiment A on Zewura. */
  public static QueueStudy zewura() {
    return new QueueStudy(
        "queues-zewura",
        "Queue disciplines on Zewura: 400 jobs, 100 cores (table 4.3)",
        new Input("wagap-2013.swf.gz", "of the clusters Zewura and Zegox of CERIT-SC"),
        400,
        100,
        disciplines(),
        List.of(
            shorterByBackfilling(),
            new Statement(
                "EDF and SGF have longer total times than FIFO with backfilling",
                it -> Math.min(it.total("edf"), it.total("sgf")) > it.total("fifo" + AGGRESSIVE)),
            fewerLateByBackfilling(),
            leastLateness(),
            moreLatenessByBackfilling(),
            alike(),
            fasterByBackfilling(),
            sjf()),
        List.of(
            "Their jobs use 5 cores on average and less than 3 of 100 mostly; those of this log up to 80 of 100.",
            "A wide head starves while narrow jobs pass it, which costs EDF with backfilling the turnaround that",
            "narrow jobs gain; easy backfilling, which lets nobody delay the head, nearly halves it."));
  }

  /** Returns experiment B. */
  public static QueueStudy molding() {
    List<Entry> entries = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sjf")) {
      entries.add(entry(queue, queue, "none", false));
      entries.add(entry(queue + " + molding", queue, "none", true));
      entries.add(entry(queue + AGGRESSIVE, queue, "aggressive", false));
      entries.add(entry(queue + " + both", queue, "aggressive", true));
    }
    List<Statement> statements = new ArrayList<>();
    for (String queue : List.of("fifo", "edf")) {
      statements.add(
          new Statement(
              "molding alone is late no more often than %s, and backfilling less than either"
                  .formatted(queue),
              it ->
                  it.late(queue + " + molding") <= it.late(queue)
                      && it.late(queue + AGGRESSIVE) <= it.late(queue + " + molding")));
    }
    statements.add(
        new Statement(
            "molding shortens FIFO's mean turnaround, backfilling more",
            it ->
                it.turnaround("fifo + molding") < it.turnaround("fifo")
                    && it.turnaround("fifo" + AGGRESSIVE) < it.turnaround("fifo + molding")));
    statements.add(
        new Statement(
            "with FIFO, both together lie between molding and backfilling in mean turnaround",
            it ->
                it.turnaround("fifo + both") < it.turnaround("fifo + molding")
                    && it.turnaround("fifo + both") > it.turnaround("fifo" + AGGRESSIVE)));
    statements.add(
        new Statement(
            "with EDF, both together are late less often than either",
            it ->
                it.late("edf + both")
                    <= Math.min(it.late("edf + molding"), it.late("edf" + AGGRESSIVE))));
    statements.add(
        new Statement(
            "backfilling makes EDF's lateness greater, molding smaller",
            it ->
                it.lateness("edf" + AGGRESSIVE) > it.lateness("edf")
                    && it.lateness("edf + molding") < it.lateness("edf")));
    return new QueueStudy(
        "molding-zewura",
        "Molding and backfilling on Zewura: 400 jobs, 100 cores (table 4.5)",
        new Input("wagap-2013.swf.gz", "of the clusters Zewura and Zegox of CERIT-SC"),
        400,
        100,
        entries,
        statements,
        List.of(
            "With these wide jobs molding the head does more than with theirs: a head on half its cores goes",
            "early instead of starving, so both together are better than either, with FIFO too."));
  }

  private static List<Entry> disciplines() {
    List<Entry> entries = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sgf", "sjf")) {
      for (String backfill : List.of("none", "aggressive", "easy", "conservative")) {
        entries.add(
            entry(
                queue + (backfill.equals("none") ? "" : " + " + backfill), queue, backfill, false));
      }
    }
    entries.add(entry("fcf", "fcf", "none", false));
    return entries;
  }

  private static Entry entry(String label, String queue, String backfill, boolean molds) {
    return new Entry(
        label,
        "first-fit",
        "{\"queue\":\"%s\",\"backfill\":\"%s\",\"molding\":{\"maxSlowdown\":%s},\"elasticity\":{\"control\":false,\"migration\":false}}"
            .formatted(queue, backfill, molds ? 2 : 1));
  }

  // ---- What the thesis says of several logs

  private static Statement shorterByBackfilling() {
    return new Statement(
        "backfilling shortens FIFO's total time",
        it -> it.total("fifo" + AGGRESSIVE) < it.total("fifo"));
  }

  private static Statement fasterByBackfilling() {
    return new Statement(
        "backfilling shortens the mean turnaround of EDF",
        it -> it.turnaround("edf" + AGGRESSIVE) < it.turnaround("edf"));
  }

  private static Statement leastLateness() {
    return new Statement(
        "EDF and SGF have less lateness than FIFO and FCF",
        it ->
            Math.max(it.lateness("edf"), it.lateness("sgf"))
                < Math.min(
                    Math.min(it.lateness("fifo"), it.lateness("fifo" + AGGRESSIVE)),
                    it.lateness("fcf")));
  }

  private static Statement moreLatenessByBackfilling() {
    return new Statement(
        "backfilling adds to the lateness of EDF and SGF",
        it ->
            it.lateness("edf" + AGGRESSIVE) > it.lateness("edf")
                && it.lateness("sgf" + AGGRESSIVE) > it.lateness("sgf"));
  }

  private static Statement fewerLateByBackfilling() {
    return new Statement(
        "with backfilling FIFO, EDF and SGF are late less often",
        it ->
            it.late("fifo" + AGGRESSIVE) < it.late("fifo")
                && it.late("edf" + AGGRESSIVE) < it.late("edf")
                && it.late("sgf" + AGGRESSIVE) < it.late("sgf"));
  }

  private static Statement alike() {
    return new Statement(
        "EDF and SGF do alike (turnaround within 5 %)",
        it -> Math.abs(it.turnaround("sgf") / it.turnaround("edf") - 1) < ALIKE);
  }

  private static Statement sjf() {
    return new Statement(
        "SJF does as FIFO (turnaround within 5 %): theirs cannot have sorted, ours does",
        it -> Math.abs(it.turnaround("sjf") / it.turnaround("fifo") - 1) < ALIKE);
  }

  // ---- Running

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public Optional<Input> input() {
    return Optional.of(log);
  }

  @Override
  public Report run(Setting setting) {
    List<LoggedJob> first = SwfLog.firstThatRan(setting.input(), jobs);
    Scenario scenario = QueueScenarios.of(name, first, cores, setting.seed());
    Map<String, ExperimentRun> runs = new LinkedHashMap<>();
    for (Entry entry : entries) {
      runs.put(
          entry.label(), ExperimentRun.of(entry, scenario, setting.seed(), setting.registry()));
    }
    List<String> lines = new ArrayList<>();
    lines.add(title);
    lines.add("");
    lines.add(cut(Path.of(setting.input()).getFileName().toString(), first));
    lines.add("");
    FigureTable table = table(runs);
    lines.addAll(table.lines());
    lines.add(whatFifoIs(runs));
    lines.add("");
    lines.add("What the thesis says of its results, and whether ours agree:");
    Figures figures = new Figures(runs);
    for (Statement each : statements) {
      lines.add("  %s  %s".formatted(each.holds.test(figures) ? "yes" : "no ", each.words));
    }
    boolean agree = statements.stream().allMatch(each -> each.holds.test(figures));
    if (!agree) {
      lines.add("Where they do not, with the log that this experiment asks for:");
      remarks.forEach(each -> lines.add("  " + each));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(Text.of(cut(Path.of(setting.input()).getFileName().toString(), first)));
    blocks.addAll(blocks(table, runs, figures));
    if (!agree) {
      blocks.add(Text.of("Where ours do not agree: " + String.join(" ", remarks)));
    }
    return new Report(lines, blocks, List.of(metrics(runs), jobs(runs)));
  }

  // ---- For a page

  private List<Block> blocks(FigureTable table, Map<String, ExperimentRun> runs, Figures figures) {
    PublishedTables.Table published = PublishedTables.ofMemoryThesis().table(name);
    ComparedBars late = new ComparedBars();
    runs.forEach(
        (label, run) ->
            late.add(label, share(published.get(label, "late")), 100.0 * run.late() / jobs));
    List<Chart> charts = new ArrayList<>();
    charts.add(
        late.chart(
            name + "-late",
            "Late jobs",
            "What part of the jobs was done after its deadline.",
            "discipline",
            Axis.of("late jobs", "%")));
    charts.add(ratios(runs, "total", "Total time", ExperimentRun::total));
    charts.add(ratios(runs, "lateness", "Lateness", ExperimentRun::lateness));
    charts.add(ratios(runs, "turnaround", "Mean turnaround", ExperimentRun::turnaround));
    return List.of(
        table.block(name + "-figures", "Queue disciplines: published and ours", "discipline"),
        Text.of(whatFifoIs(runs)),
        new Grid(2, charts),
        new Table(
            name + "-statements",
            "What the thesis says of its results, and whether ours agree",
            List.of(Table.Column.ofText("statement"), Table.Column.ofText("ours agree")),
            statements.stream()
                .map(
                    each ->
                        List.of(
                            Table.Cell.of(each.words),
                            Table.Cell.of(each.holds.test(figures) ? "yes" : "no")))
                .toList()));
  }

  private OptionalDouble share(OptionalDouble late) {
    return late.isPresent() ? OptionalDouble.of(100 * late.getAsDouble() / jobs) : late;
  }

  private Chart ratios(
      Map<String, ExperimentRun> runs,
      String column,
      String title,
      ToDoubleFunction<ExperimentRun> figure) {
    PublishedTables.Table published = PublishedTables.ofMemoryThesis().table(name);
    double fifo = figure.applyAsDouble(new Figures(runs).run("fifo"));
    ComparedBars bars = new ComparedBars();
    runs.forEach(
        (label, run) ->
            bars.add(label, ratio(published, label, column), figure.applyAsDouble(run) / fifo));
    return bars.chart(
        "%s-%s".formatted(name, column),
        title,
        title + ", that of FIFO without backfilling being 1.",
        "discipline",
        Axis.of(column + ", fifo = 1"));
  }

  private String cut(String file, List<LoggedJob> first) {
    long wide = first.stream().filter(each -> each.processors() > cores).count();
    double mean =
        first.stream().mapToInt(each -> Math.min(each.processors(), cores)).average().orElse(0);
    return "%s: the first %s jobs that ran (to job %s), in its order, all at time 0; %s cores each on average%s."
        .formatted(
            file,
            jobs,
            first.get(first.size() - 1).number(),
            Numbers.share(mean, 1),
            wide == 0
                ? ""
                : "; %s that used more than %s cores ask for all %s".formatted(wide, cores, cores));
  }

  private FigureTable table(Map<String, ExperimentRun> runs) {
    PublishedTables.Table published = PublishedTables.ofMemoryThesis().table(name);
    FigureTable table = new FigureTable(3, 2, 3, 2, 3, 2, 3, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("late", 2),
            new TextTable.Heading("total, fifo = 1", 2),
            new TextTable.Heading("lateness, fifo = 1", 2),
            new TextTable.Heading("turnaround, fifo = 1", 2)));
    table.columns(
        List.of(
            "discipline",
            "published",
            "ours",
            "published",
            "ours",
            "published",
            "ours",
            "published",
            "ours"));
    ExperimentRun fifo = new Figures(runs).run("fifo");
    runs.forEach(
        (label, run) ->
            table.row(
                List.of(
                    FigureTable.words(label),
                    FigureTable.number(published.get(label, "late"), 0),
                    FigureTable.number((double) run.late(), 0),
                    FigureTable.number(ratio(published, label, "total"), 3),
                    FigureTable.number(run.total() / fifo.total(), 3),
                    FigureTable.number(ratio(published, label, "lateness"), 3),
                    FigureTable.number(run.lateness() / fifo.lateness(), 3),
                    FigureTable.number(ratio(published, label, "turnaround"), 3),
                    FigureTable.number(run.turnaround() / fifo.turnaround(), 3))));
    return table;
  }

  /** Says what the ratios of the table are to. */
  private String whatFifoIs(Map<String, ExperimentRun> runs) {
    PublishedTables.Table published = PublishedTables.ofMemoryThesis().table(name);
    ExperimentRun fifo = new Figures(runs).run("fifo");
    return "fifo: published %s of %s late, total %s, lateness %s, turnaround %s, in an untold unit; ours %s, %s s, %s s, %s s."
        .formatted(
            Numbers.share(published.get("fifo", "late"), 0),
            jobs,
            Numbers.share(published.get("fifo", "total"), 0),
            Numbers.share(published.get("fifo", "lateness"), 0),
            Numbers.share(published.get("fifo", "turnaround"), 0),
            fifo.late(),
            Numbers.share(fifo.total(), 0),
            Numbers.share(fifo.lateness(), 0),
            Numbers.share(fifo.turnaround(), 0));
  }

  private static OptionalDouble ratio(
      PublishedTables.Table published, String label, String column) {
    OptionalDouble figure = published.get(label, column);
    return figure.isEmpty()
        ? figure
        : OptionalDouble.of(figure.getAsDouble() / published.get("fifo", column).orElseThrow());
  }

  private CsvText metrics(Map<String, ExperimentRun> runs) {
    CsvText series =
        new CsvText(
            name + "-metrics", "discipline", "late", "total_s", "lateness_s", "mean_turnaround_s");
    runs.forEach(
        (label, run) ->
            series.row(label, run.late(), run.total(), run.lateness(), run.turnaround()));
    return series;
  }

  private CsvText jobs(Map<String, ExperimentRun> runs) {
    CsvText series =
        new CsvText(name + "-jobs", "discipline", "job", "started_s", "done_s", "late_s");
    runs.forEach(
        (label, run) -> {
          for (RequestOutcome each : run.outcomes()) {
            series.row(
                label,
                each.request().id(),
                each.firstReadyAt().orElse(0) / SECOND,
                each.report().endedAt() / SECOND,
                ExperimentRun.latenessNanos(each) / SECOND);
          }
        });
    return series;
  }
}
