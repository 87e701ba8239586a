package dev.berth.experiments.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.ComparedPolicy;
import dev.berth.experiments.Contention;
import dev.berth.experiments.Experiment;
import dev.berth.experiments.Sample;
import dev.berth.experiments.Summary;
import dev.berth.report.Attachment;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Grid;
import dev.berth.report.Heading;
import dev.berth.report.IntervalChart;
import dev.berth.report.Marks;
import dev.berth.report.Numbers;
import dev.berth.report.Section;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.report.render.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The page of an experiment, with the figures of the evaluation of QoS-driven scheduling (section
 * 5, figures 1, 2 and 4 to 9) for any policies on any workload.
 */
public final class ExperimentPage {

  /** A figure about the active requests of intervals (figure 9). */
  private record ActiveFigure(
      String id, String title, Function<Summary.ActiveFigures, Sample> of) {}

  private static final List<ActiveFigure> ACTIVE =
      List.of(
          new ActiveFigure("min", "smallest availability", Summary.ActiveFigures::min),
          new ActiveFigure("met", "objective met", Summary.ActiveFigures::fulfilment),
          new ActiveFigure("gini", "inequality (Gini)", Summary.ActiveFigures::gini));

  private final Experiment experiment;
  private final Summary summary;
  private final List<CellResult> results;
  private final RequestFigures requests;
  private final RunFacts facts;

  public ExperimentPage(Experiment experiment, Summary summary, List<CellResult> results) {
    this.experiment = experiment;
    this.summary = summary;
    this.results = results;
    this.requests = new RequestFigures(experiment, results);
    this.facts = new RunFacts(experiment);
  }

  public Document page() {
    List<Section> sections = new ArrayList<>();
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
    return new Document(
        title(),
        experiment.description(),
        sections,
        List.of(
            Attachment.embedded("results.json", "application/json", JsonText.pretty(json)),
            Attachment.embedded("results.csv", "text/csv", ResultsCsv.of(results).toString())));
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
        : experiment.name() + ": " + Ranking.joined(policies);
  }

  // ---- Summary

  private List<Block> summaryBlocks() {
    List<Block> blocks = new ArrayList<>();
    List<RunWarning> warnings = RunWarning.of(results);
    if (!warnings.isEmpty()) {
      blocks.add(Text.ofLines(warnings.stream().map(each -> "Warning: " + each.line()).toList()));
    }
    for (Summary.Group each : summary.groups()) {
      if (summary.groups().size() > 1) {
        blocks.add(new Heading("Verdict on " + title(each)));
      }
      blocks.add(new Text(true, new Verdict(experiment, each).lines()));
    }
    List<String> legend = new ArrayList<>(Verdict.legend(summary));
    legend.add(reading());
    blocks.add(Text.of(legend.toArray(String[]::new)));
    int number = 1;
    for (Summary.Group each : summary.groups()) {
      blocks.add(summaryTable("summary-" + number, each));
      number++;
    }
    blocks.add(new Heading("What was run"));
    blocks.add(facts.shared());
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
        : "Means over all cases (workloads and seeds) with the same hosts, ± half of their 95 % "
            + "confidence interval. ★ marks a policy that beats every other one in its row, case "
            + "by case, beyond chance; a row without a star has no clear winner."
            + bounds;
  }

  private static String title(Summary.Group group) {
    return "%s × %s: %s case%s"
        .formatted(
            group.infrastructure(),
            Numbers.plain(group.scale()),
            group.cases(),
            group.cases() == 1 ? "" : "s");
  }

  /** A row of the table. */
  private record Line(
      String name,
      String unit,
      boolean moreIsBetter,
      int digits,
      Function<Summary.Row, Sample> of) {}

  private Table summaryTable(String id, Summary.Group group) {
    Table.Builder table = Table.builder(id, title(group)).column(Table.Column.ofText("Figure"));
    group.rows().forEach(each -> table.column(Table.Column.ofNumbers(each.policy().label(), "")));
    for (String name : group.classNames()) {
      table.group(classTitle(group, name));
      ofClass(name, group.cases()).forEach(each -> table.row(row(group, each)));
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
        .flatMap(each -> each.figures(name).stream())
        .findFirst()
        .map(each -> "%s (SLO %s)".formatted(name, Numbers.plain(each.slo())))
        .orElse(name);
  }

  private static List<Table.Cell> row(Summary.Group group, Line line) {
    List<Table.Cell> cells = new ArrayList<>();
    String unit = line.unit().isEmpty() ? "" : ", " + line.unit();
    cells.add(Table.Cell.of(line.name() + unit));
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

  private static List<Line> ofClass(String name, int cases) {
    int digitsOfCounts = cases == 1 ? 0 : 1;
    return List.of(
        ofClass(name, "objective met", true, 4, Summary.ClassFigures::fulfilment),
        ofClass(name, "mean availability", true, 4, Summary.ClassFigures::mean),
        ofClass(name, "smallest availability", true, 4, Summary.ClassFigures::min),
        ofClass(name, "mean deficit", false, 4, Summary.ClassFigures::deficit),
        ofClass(name, "short of the SLO", false, 4, Summary.ClassFigures::shortfall),
        ofClass(name, "never ran", false, digitsOfCounts, Summary.ClassFigures::neverRan));
  }

  private static List<Line> ofAll(Summary.Group group) {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("requests", "", true, 0, Summary.Row::requests));
    lines.add(new Line("done", "", true, 0, Summary.Row::completed));
    lines.add(new Line("penalty", "core-hours", false, 2, Summary.Row::penalty));
    lines.add(new Line("preemptions", "", false, 0, Summary.Row::preemptions));
    lines.add(new Line("waiting, mean", "s", false, 1, Summary.Row::waiting));
    lines.add(new Line("pending requests, mean", "", false, 1, Summary.Row::pending));
    lines.add(new Line("restarts", "h", false, 2, Summary.Row::restartOverhead));
    lines.add(new Line("lost work", "h", false, 2, Summary.Row::lostWork));
    group.rows().stream()
        .flatMap(each -> each.used().keySet().stream())
        .distinct()
        .forEach(
            each ->
                lines.add(
                    new Line(
                        each + " granted",
                        "",
                        true,
                        4,
                        row ->
                            row.policy().role() == ComparedPolicy.Role.UPPER_BOUND
                                ? Sample.of(List.of())
                                : row.used().getOrDefault(each, Sample.of(List.of())))));
    return lines;
  }

  private static Line line(String figure, WayToBound way) {
    return new Line(
        figure + ", way to the bound",
        "%",
        true,
        1,
        row ->
            way.share(row).isPresent()
                ? Sample.of(List.of(100 * way.share(row).getAsDouble()))
                : Sample.of(List.of()));
  }

  private static Line ofClass(
      String name,
      String figure,
      boolean moreIsBetter,
      int digits,
      Function<Summary.ClassFigures, Sample> of) {
    return new Line(
        figure,
        "",
        moreIsBetter,
        digits,
        row -> row.figures(name).map(of).orElse(Sample.of(List.of())));
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
        || Ranking.beats(one, other, line.of(), line.moreIsBetter());
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
    List<String> scales = summary.groups().stream().map(this::name).toList();
    List<Series<BarChart.Bar>> series = new ArrayList<>();
    for (ComparedPolicy comparedPolicy : experiment.policies()) {
      Map<String, BarChart.Bar> bars = new LinkedHashMap<>();
      for (Summary.Group group : summary.groups()) {
        Sample penalty = group.row(comparedPolicy.label()).penalty();
        if (penalty.size() > 0) {
          bars.put(name(group), new BarChart.Bar(penalty.mean(), penalty.halfWidth()));
        }
      }
      series.add(new Series<>(comparedPolicy.label(), bars));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        BarChart.of(
            "penalty",
            "Penalties",
            "Deficit × duration × cores, with the bonus of the table of penalties (section 5.2),"
                + " mean over cases.",
            "hosts",
            Axis.of("penalty", "core-hours"),
            scales,
            series));
    experiment.reference().flatMap(this::excess).ifPresent(blocks::add);
    return blocks;
  }

  private Optional<Block> excess(String reference) {
    List<Series<BarChart.Bar>> series = new ArrayList<>();
    for (ComparedPolicy comparedPolicy : experiment.policies()) {
      Map<String, BarChart.Bar> bars = new LinkedHashMap<>();
      if (comparedPolicy.role() == ComparedPolicy.Role.POLICY
          && !comparedPolicy.label().equals(reference)) {
        for (Summary.Group group : summary.groups()) {
          Summary.excess(group.row(reference), group.row(comparedPolicy.label()))
              .ifPresent(share -> bars.put(name(group), BarChart.Bar.of(100 * share)));
        }
      }
      if (!bars.isEmpty()) {
        series.add(new Series<>(comparedPolicy.label(), bars));
      }
    }
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
            summary.groups().stream().map(this::name).toList(),
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
    String scale = "× " + Numbers.plain(group.scale());
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
                + " request of another class has less than 100 %. Means over intervals with their"
                + " 95 % confidence intervals (figure 9).",
            "Number of intervals: "
                + summary.groups().stream()
                    .map(each -> name(each) + ": " + counts(each))
                    .collect(Collectors.joining("; "))
                + "."));
    int number = 1;
    for (Summary.Group group : summary.groups()) {
      List<Chart> charts = new ArrayList<>();
      for (String serviceClass : group.classNames()) {
        for (ActiveFigure each : ACTIVE) {
          charts.add(
              active(
                  group,
                  "%s-%s-%s".formatted(each.id(), number, plain(serviceClass)),
                  "%s, hosts %s: %s".formatted(serviceClass, name(group), each.title()),
                  serviceClass,
                  each.of()));
        }
      }
      blocks.add(new Grid(3, charts));
      number++;
    }
    return blocks;
  }

  private static String counts(Summary.Group group) {
    return List.of(Contention.values()).stream()
        .map(each -> group.intervals().getOrDefault(each, 0L) + " " + word(each))
        .collect(Collectors.joining(", "));
  }

  private Chart active(
      Summary.Group group,
      String id,
      String title,
      String serviceClass,
      Function<Summary.ActiveFigures, Sample> figure) {
    List<String> levels =
        List.of(Contention.LOW, Contention.MEDIUM, Contention.HIGH).stream()
            .map(ExperimentPage::word)
            .toList();
    List<Series<IntervalChart.Interval>> series = new ArrayList<>();
    for (Summary.Row row : group.rows()) {
      Map<String, IntervalChart.Interval> values = new LinkedHashMap<>();
      row.active()
          .forEach(
              (level, figures) ->
                  figures.stream()
                      .filter(each -> each.name().equals(serviceClass))
                      .filter(each -> level != Contention.NONE)
                      .forEach(each -> values.put(word(level), interval(figure.apply(each)))));
      series.add(new Series<>(row.policy().label(), values));
    }
    return new IntervalChart(
        id,
        title,
        "Active requests of %s, by contention.".formatted(serviceClass),
        "contention",
        Axis.of("share").within(0, 1),
        levels,
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

  private static String word(Contention level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  // ---- Settings

  private List<Block> settings() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(facts.policies());
    List<List<Table.Cell>> rows = new ArrayList<>();
    for (CellResult each : results) {
      if (each.cell().policy().label().equals(experiment.policies().get(0).label())) {
        rows.add(
            List.of(
                Table.Cell.of(each.cell().setting().workload()),
                Table.Cell.of(each.cell().setting().infrastructure()),
                Table.Cell.of(each.cell().setting().scale(), 2),
                Table.Cell.of(
                    each.cell().setting().settings().scenario().infrastructure().hosts().size(), 0),
                Table.Cell.of(Long.toString(each.cell().setting().seed())),
                each.metrics()
                    .map(metrics -> Table.Cell.of((double) metrics.result().arrivals(), 0))
                    .orElse(Table.Cell.absent())));
      }
    }
    blocks.add(
        Table.of(
            "cases",
            "The cases",
            List.of(
                Table.Column.ofText("Workload"),
                Table.Column.ofText("Hosts"),
                Table.Column.ofNumbers("Scale", ""),
                Table.Column.ofNumbers("Number of hosts", ""),
                Table.Column.ofNumbers("Seed", ""),
                Table.Column.ofNumbers("Requests", "")),
            rows));
    blocks.add(
        new Details("The experiment, defaults included", JsonText.pretty(experiment.effective())));
    return blocks;
  }
}
