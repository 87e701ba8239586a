package dev.berth.experiments.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Contention;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.figures.Variants;
import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.figures.WayToBound;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.report.Attachment;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Folded;
import dev.berth.report.Grid;
import dev.berth.report.Heading;
import dev.berth.report.IntervalChart;
import dev.berth.report.Marks;
import dev.berth.report.Numbers;
import dev.berth.report.Section;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.report.TimelineChart;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.result.ClassResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The page of an experiment, with the figures of the evaluation of QoS-driven scheduling (section
 * 5, figures 1, 2 and 4 to 9) for any policies on any workload.
 */
public final class ExperimentPage {

  /** The figures of the active requests of intervals (figure 9), by the start of their ids. */
  private static final Map<String, Figure<ClassResult>> ACTIVE =
      ImmutableMap.of(
          "min", ClassFigures.MIN, "met", ClassFigures.FULFILMENT, "gini", ClassFigures.GINI);

  /** The figures of a class in the summary. */
  private static final List<Figure<ClassResult>> OF_CLASSES =
      List.of(
          ClassFigures.MET,
          ClassFigures.MEAN,
          ClassFigures.MIN,
          ClassFigures.MEAN_DEFICIT,
          ClassFigures.SHORTFALL,
          ClassFigures.NEVER_RAN);

  private final Experiment experiment;
  private final Summary summary;
  private final List<CellResult> results;
  private final List<Summary.Group> groups; // in detail
  private final VariantFigures variants;
  private final RequestFigures requests;
  private final RunFacts facts;
  private final List<TimelineChart.Run> timelines;

  public ExperimentPage(Experiment experiment, Summary summary, List<CellResult> results) {
    this(experiment, summary, results, List.of());
  }

  /**
   * Creates the source of a page.
   *
   * @param timelines of the runs of the compared policies; may be empty
   */
  public ExperimentPage(
      Experiment experiment,
      Summary summary,
      List<CellResult> results,
      List<TimelineChart.Run> timelines) {
    this.experiment = experiment;
    this.summary = summary;
    this.results = results;
    this.groups = Variants.detailed(summary);
    this.variants = new VariantFigures(summary);
    Set<List<Object>> detailed =
        groups.stream().map(each -> each.first().group()).collect(Collectors.toSet());
    this.requests =
        new RequestFigures(
            experiment,
            results.stream()
                .filter(each -> detailed.contains(each.cell().setting().group()))
                .toList());
    this.facts = new RunFacts(experiment);
    this.timelines = List.copyOf(timelines);
  }

  public Document page() {
    List<Section> sections = new ArrayList<>();
    sections.add(new Section("glance", "At a glance", glance()));
    if (!timelines.isEmpty()) {
      sections.add(
          new Section(
              "what-ran",
              "What ran where, and when",
              List.of(TimelineFigures.timeline(timelines))));
    }
    if (!variants.isEmpty()) {
      sections.add(new Section("variants", "By watchdog and margin", variantBlocks()));
    }
    sections.add(new Section("summary", "Summary", summaryBlocks()));
    sections.add(
        new Section("requests", "Availability, request by request", requests.availabilities()));
    List<Block> pairs = requests.pairs();
    if (!pairs.isEmpty()) {
      sections.add(new Section("pairs", "The same request under two policies", pairs));
    }
    sections.add(new Section("deficits", "How far objectives were missed", deficits()));
    sections.add(new Section("penalties", "Penalties for missed objectives", penalties()));
    if (experiment.reference().isPresent()) {
      sections.add(new Section("contention", "Under contention", contention()));
    }
    sections.add(new Section("demand", "Demand and capacity over time", DemandFigures.of(results)));
    sections.add(new Section("settings", "Settings", settings()));
    ObjectNode json = SummaryJson.of(experiment, summary, results);
    List<Attachment> attachments = new ArrayList<>();
    attachments.add(new Attachment("results.json", "application/json", JsonText.pretty(json)));
    if (SummaryJson.listsRuns(results)) {
      attachments.add(new Attachment("results.csv", "text/csv", ResultsCsv.of(results).toString()));
    }
    return new Document(title(), experiment.description(), sections, attachments);
  }

  /** Returns what is compared: {@code "validation-1: qos-driven and priority"}. */
  private String title() {
    List<String> policies =
        experiment.policies().stream()
            .filter(each -> each.role() == ComparedPolicy.Role.POLICY)
            .map(ComparedPolicy::label)
            .toList();
    return policies.isEmpty()
        ? experiment.name()
        : experiment.name() + ": " + Verdict.joined(policies);
  }

  // ---- At a glance

  /** Returns the verdict in a sentence for each group, and the pictures of it. */
  private List<Block> glance() {
    List<Block> blocks = new ArrayList<>();
    List<RunWarning> warnings = RunWarning.of(results);
    if (!warnings.isEmpty()) {
      blocks.add(Text.ofLines(warnings.stream().map(each -> "Warning: " + each.line()).toList()));
    }
    blocks.addAll(variants.sentences());
    List<Chart> pictures = new ArrayList<>();
    for (Summary.Group each : groups) {
      boolean only = summary.groups().size() == 1;
      String sentence = new Verdict(experiment, each).brief().get(0);
      blocks.add(Text.of(only ? sentence : "%s: %s".formatted(name(each), sentence)));
      if (!each.classNames().isEmpty()) {
        pictures.add(
            GlanceFigures.met(
                "met-" + (pictures.size() + 1),
                only ? "Objectives met" : "Objectives met, hosts " + name(each),
                each));
      }
    }
    if (!timelines.isEmpty()) {
      pictures.add(TimelineFigures.below(timelines));
    }
    if (!pictures.isEmpty()) {
      blocks.add(new Grid(2, pictures));
    }
    return blocks;
  }

  private List<Block> variantBlocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(variants.reading());
    blocks.add(variants.charts());
    blocks.add(variants.penalties());
    blocks.add(new Folded("Objectives met by watchdog and margin", variants.met()));
    if (groups.size() < summary.groups().size()) {
      blocks.add(
          Text.of(
              "The sections below have %s; the tables of all figures have the others, too."
                  .formatted(groups.get(0).first().variant())));
    }
    return blocks;
  }

  // ---- Summary

  private List<Block> summaryBlocks() {
    List<Block> blocks = new ArrayList<>();
    for (Summary.Group each : groups) {
      if (summary.groups().size() > 1) {
        blocks.add(new Heading("Verdict on " + title(each)));
      }
      blocks.add(new Text(true, new Verdict(experiment, each).lines()));
    }
    List<String> legend = new ArrayList<>(Verdict.legend(summary));
    legend.add(reading());
    List<Block> figures = new ArrayList<>();
    figures.add(Text.of(legend.toArray(String[]::new)));
    int number = 1;
    for (Summary.Group each : summary.groups()) {
      figures.add(summaryTable("summary-" + number, each));
      number++;
    }
    blocks.add(new Folded("All figures", figures));
    blocks.add(new Folded("What was run", List.of(facts.shared())));
    return blocks;
  }

  /** Returns how to read the table; one case has neither intervals nor stars. */
  private String reading() {
    String bounds =
        experiment.policies().stream().allMatch(each -> each.role() == ComparedPolicy.Role.POLICY)
            ? ""
            : " Bounds do not compete.";
    return summary.groups().stream().allMatch(each -> each.cases() == 1)
        ? "Each figure is that of one run." + bounds
        : "Means over all cases (workloads and seeds) with the same hosts and settings, ± half of their 95 % "
            + "confidence interval. ★ marks a policy that beats every other one in its row, case "
            + "by case, beyond chance; a row without a star has no clear winner."
            + bounds;
  }

  private static String title(Summary.Group group) {
    return "%s × %s: %s case%s"
        .formatted(
            group.infrastructure(),
            group.first().withVariant(Numbers.plain(group.scale())),
            group.cases(),
            group.cases() == 1 ? "" : "s");
  }

  /** A row of the table. */
  private record Line(
      String name, boolean moreIsBetter, int digits, Function<Summary.Row, Sample> of) {}

  private Table summaryTable(String id, Summary.Group group) {
    Table.Builder table = Table.builder(id, title(group)).column(Table.Column.ofText("Figure"));
    group.rows().forEach(each -> table.column(Table.Column.ofNumbers(each.policy().label(), "")));
    for (String name : group.classNames()) {
      table.group(classTitle(group, name));
      OF_CLASSES.forEach(each -> table.row(row(group, ofClass(name, each, group.cases()))));
      WayToBound.inShortfall(experiment, group, name)
          .ifPresent(each -> table.row(row(group, line("short of the SLO", each))));
    }
    table.group("All classes");
    ofAll(group).forEach(each -> table.row(row(group, each)));
    WayToBound.inPenalty(experiment, group)
        .ifPresent(each -> table.row(row(group, line("penalty", each))));
    return table.build();
  }

  private static String classTitle(Summary.Group group, String name) {
    return group.rows().stream()
        .flatMap(each -> ClassFigures.find(each.classes(), name).stream())
        .findFirst()
        .map(each -> "%s (SLO %s)".formatted(name, Numbers.plain(each.slo())))
        .orElse(name);
  }

  private static List<Table.Cell> row(Summary.Group group, Line line) {
    List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(line.name())));
    Optional<String> winner = winner(group, line);
    for (Summary.Row row : group.rows()) {
      Table.Cell cell = cell(line.of().apply(row), line.digits());
      boolean best = winner.equals(Optional.of(row.policy().label()));
      cells.add(best ? cell.asBest() : cell);
    }
    return cells;
  }

  private static Table.Cell cell(Sample sample, int digits) {
    return switch (sample.size()) {
      case 0 -> Table.Cell.absent();
      case 1 -> Table.Cell.of(sample.mean(), digits);
      default -> Table.Cell.of(sample.mean(), sample.halfWidth().orElseThrow(), digits);
    };
  }

  private static Line ofClass(String name, Figure<ClassResult> figure, int cases) {
    int digits = figure.digits() == 0 && cases > 1 ? 1 : figure.digits(); // means of counts
    return new Line(figure.words(), figure.moreIsBetter(), digits, row -> row.get(name, figure));
  }

  private static List<Line> ofAll(Summary.Group group) {
    List<Line> lines = new ArrayList<>();
    Totals.ALL.forEach(
        each ->
            lines.add(
                new Line(each.words(), each.moreIsBetter(), each.digits(), row -> row.get(each))));
    group.rows().stream()
        .flatMap(each -> each.used().keySet().stream())
        .distinct()
        .forEach(
            each ->
                lines.add(
                    new Line(
                        each + " granted",
                        true,
                        4,
                        row ->
                            row.policy().role() == ComparedPolicy.Role.UPPER_BOUND
                                ? Sample.NONE
                                : row.used().getOrDefault(each, Sample.NONE))));
    return lines;
  }

  private static Line line(String figure, WayToBound way) {
    return new Line(
        figure + ", way to the bound, %",
        true,
        1,
        row -> Sample.of(way.share(row).stream().map(share -> 100 * share).boxed().toList()));
  }

  /** Returns the policy that beats every other one, case by case and beyond chance. */
  private static Optional<String> winner(Summary.Group group, Line line) {
    List<Summary.Row> policies =
        group.rows().stream()
            .filter(each -> each.policy().role() == ComparedPolicy.Role.POLICY)
            .toList();
    return policies.size() < 2
        ? Optional.empty()
        : policies.stream()
            .filter(each -> policies.stream().allMatch(other -> beats(line, each, other)))
            .map(each -> each.policy().label())
            .findFirst();
  }

  private static boolean beats(Line line, Summary.Row one, Summary.Row other) {
    return one.policy().label().equals(other.policy().label()) // no policy has to beat itself
        || one.beats(other, line.of(), line.moreIsBetter());
  }

  // ---- Deficits and penalties

  private List<Block> deficits() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.of(
            "Deficit: the objective minus the availability, of the requests that missed it (figure"
                + " 7 of the paper). Classes that always met it have no box."));
    blocks.addAll(requests.deficits());
    return blocks;
  }

  private List<Block> penalties() {
    List<Series<BarChart.Bar>> series =
        bars(
            (policy, group) ->
                Optional.of(group.row(policy.label()).get(Totals.PENALTY))
                    .filter(penalty -> penalty.size() > 0)
                    .map(Cells::bar));
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        BarChart.of(
            "penalty",
            "Penalties",
            "Deficit × duration × cores, with the bonus of the table of penalties (section 5.2),"
                + " mean over cases.",
            "hosts",
            Axis.of("penalty", "core-hours"),
            groups.stream().map(this::name).toList(),
            series));
    experiment.reference().flatMap(this::excess).ifPresent(blocks::add);
    return blocks;
  }

  /** Returns the bars of each policy, by the names of the groups. */
  private List<Series<BarChart.Bar>> bars(
      BiFunction<ComparedPolicy, Summary.Group, Optional<BarChart.Bar>> of) {
    List<Series<BarChart.Bar>> series = new ArrayList<>();
    for (ComparedPolicy policy : experiment.policies()) {
      Map<String, BarChart.Bar> bars = new LinkedHashMap<>();
      groups.forEach(group -> of.apply(policy, group).ifPresent(bar -> bars.put(name(group), bar)));
      series.add(new Series<>(policy.label(), bars));
    }
    return series;
  }

  private Optional<Block> excess(String reference) {
    List<Series<BarChart.Bar>> series =
        bars(
                (policy, group) ->
                    policy.role() == ComparedPolicy.Role.POLICY && !policy.label().equals(reference)
                        ? Summary.excess(group.row(reference), group.row(policy.label()))
                            .map(share -> BarChart.Bar.of(100 * share))
                        : Optional.empty())
            .stream()
            .filter(each -> !each.values().isEmpty())
            .toList();
    if (series.isEmpty()) {
      return Optional.empty();
    }
    if (series.size() == 1 && series.get(0).values().size() == 1) {
      return Optional.of(excess(reference, series.get(0)));
    }
    return Optional.of(
        BarChart.of(
            "penalty-excess",
            "How much more %s pays".formatted(reference),
            "Penalties of %s over those of each other policy, summed over all cases (figure 8)."
                .formatted(reference),
            "hosts",
            Axis.of("increase", "%"),
            groups.stream().map(this::name).toList(),
            series));
  }

  /** Returns the one figure in words: a chart of one bar shows nothing. */
  private static Text excess(String reference, Series<BarChart.Bar> only) {
    return Text.of(
        "Penalties of %s over those of %s: %s %%."
            .formatted(
                reference,
                only.name(),
                Numbers.signed(only.values().values().iterator().next().value(), 1)));
  }

  /** Returns a name that is unique among the groups. */
  private String name(Summary.Group group) {
    boolean oneKind =
        summary.groups().stream().map(Summary.Group::infrastructure).distinct().count() == 1;
    String scale = group.first().withVariant("× " + Numbers.plain(group.scale()));
    return oneKind ? scale : group.infrastructure() + " " + scale;
  }

  // ---- Contention

  private List<Block> contention() {
    String reference = experiment.reference().orElseThrow();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.of(
            "Intervals have a level of contention, by what %s delivers in them (section 5.3): "
                    .formatted(reference)
                + "none: all requests have 100 %; low: the lowest class meets its objective, all"
                + " others have 100 %; medium: a request of the lowest class misses it; high: a"
                + " request of another class has less than 100 %. First starts do not count. Means"
                + " over intervals with their 95 % confidence intervals (figure 9).",
            "Number of intervals: "
                + groups.stream()
                    .map(each -> name(each) + ": " + counts(each))
                    .collect(Collectors.joining("; "))
                + "."));
    int number = 1;
    for (Summary.Group group : groups) {
      List<Chart> charts = new ArrayList<>();
      for (String serviceClass : group.classNames()) {
        int its = number;
        ACTIVE.forEach(
            (id, figure) ->
                charts.add(
                    active(
                        group,
                        "%s-%s-%s".formatted(id, its, plain(serviceClass)),
                        "%s, hosts %s: %s".formatted(serviceClass, name(group), figure.words()),
                        serviceClass,
                        figure)));
      }
      blocks.add(new Grid(3, charts));
      number++;
    }
    return blocks;
  }

  private static String counts(Summary.Group group) {
    return List.of(Contention.values()).stream()
        .map(each -> group.intervals().getOrDefault(each, 0L) + " " + each.word())
        .collect(Collectors.joining(", "));
  }

  private Chart active(
      Summary.Group group,
      String id,
      String title,
      String serviceClass,
      Figure<ClassResult> figure) {
    List<Series<IntervalChart.Interval>> series = new ArrayList<>();
    for (Summary.Row row : group.rows()) {
      Map<String, IntervalChart.Interval> values = new LinkedHashMap<>();
      for (Contention level : Contention.LEVELS) {
        Sample sample = row.get(level, serviceClass, figure);
        if (sample.size() > 0) {
          values.put(level.word(), interval(sample));
        }
      }
      series.add(new Series<>(row.policy().label(), values));
    }
    return new IntervalChart(
        id,
        title,
        "Active requests of %s, by contention.".formatted(serviceClass),
        "contention",
        Axis.of("share").within(0, 1),
        Contention.LEVELS.stream().map(Contention::word).toList(),
        series,
        Optional.<Marks>empty());
  }

  private static IntervalChart.Interval interval(Sample sample) {
    double mean = Math.min(1, Math.max(0, sample.mean()));
    double margin = sample.halfWidth().orElse(0);
    return new IntervalChart.Interval(mean, Math.max(0, mean - margin), Math.min(1, mean + margin));
  }

  /** Returns a name with the characters that ids allow. */
  static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  // ---- Settings

  private List<Block> settings() {
    List<Block> folded = new ArrayList<>(List.of(facts.policies()));
    if (SummaryJson.listsRuns(results)) {
      folded.add(cases());
    }
    return List.of(
        new Folded("The policies and the cases", folded),
        new Details("The experiment, defaults included", JsonText.pretty(experiment.effective())));
  }

  private Table cases() {
    String first = experiment.policies().get(0).label();
    return new Columns<CellResult>()
        .text("Workload", each -> each.cell().setting().workload())
        .text("Hosts", each -> each.cell().setting().infrastructure())
        .cells("Scale", each -> Table.Cell.of(each.cell().setting().scale(), 2))
        .cells("Number of hosts", each -> Table.Cell.of(hosts(each), 0))
        .cells("Seed", each -> Table.Cell.of(Long.toString(each.cell().setting().seed())))
        .cells("Requests", ExperimentPage::requests)
        .table(
            "cases",
            "The cases",
            results.stream().filter(each -> each.policy().label().equals(first)).toList());
  }

  private static double hosts(CellResult result) {
    return result.cell().setting().settings().scenario().infrastructure().hosts().size();
  }

  private static Table.Cell requests(CellResult result) {
    return result
        .totals()
        .map(run -> Table.Cell.of((double) run.arrivals(), 0))
        .orElse(Table.Cell.absent());
  }
}
