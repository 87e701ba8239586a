package dev.berth.experiments.page;

import dev.berth.core.config.Durations;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Contention;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.figures.Variants;
import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.report.Block;
import dev.berth.report.Document;
import dev.berth.report.Heading;
import dev.berth.report.Numbers;
import dev.berth.report.Section;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import dev.berth.report.render.Printable;
import dev.berth.simulator.metrics.RunMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The summary of an experiment as text for a terminal: tables for each kind of hosts and scale. */
public final class SummaryDocument {

  private static final Columns<Summary.Row> TOTALS =
      new Columns<Summary.Row>()
          .unnamed("policy", each -> each.policy().label() + failed(each))
          .cells("penalty core h", each -> estimate(each, Totals.PENALTY))
          .cells("preemptions", each -> estimate(each, Totals.PREEMPTIONS))
          .cells("waiting s", each -> estimate(each, Totals.WAITING))
          .cells("pending", each -> estimate(each, Totals.PENDING))
          .cells("restarts h", each -> estimate(each, Totals.RESTARTS))
          .cells("lost work h", each -> estimate(each, Totals.LOST_WORK));

  private final Experiment experiment;
  private final Summary summary;
  private final List<RunWarning> warnings;

  /**
   * Creates the source of a document.
   *
   * @param results the results that the summary is of
   */
  public SummaryDocument(Experiment experiment, Summary summary, List<CellResult> results) {
    this.experiment = experiment;
    this.summary = summary;
    this.warnings = RunWarning.of(results);
  }

  /**
   * Returns the document: name and description of the experiment, its {@link #blocks()}, and the
   * verdict on each group.
   */
  public Document build() {
    List<String> subtitle = new ArrayList<>();
    if (!experiment.description().isBlank()) {
      subtitle.add(experiment.description());
    }
    experiment.notes().forEach(each -> subtitle.add("note: " + each));
    warnings.forEach(each -> each.lines().forEach(line -> subtitle.add(Printable.line(line))));
    return new Document(
        experiment.name(),
        String.join("\n", subtitle),
        List.of(new Section("summary", "", blocks()), new Section("verdicts", "", verdicts())),
        List.of());
  }

  private List<Block> verdicts() {
    List<Block> verdicts = new ArrayList<>();
    for (Summary.Group each : Variants.detailed(summary)) {
      String title = summary.groups().size() == 1 ? "verdict" : "verdict on " + hosts(each);
      List<String> lines =
          new Verdict(experiment, each).lines().stream().map(Printable::line).toList();
      verdicts.add(Stack.of(new Heading(title), new Text(true, lines)));
    }
    verdicts.add(Text.ofLines(Verdict.legend(summary)));
    return verdicts;
  }

  private static String hosts(Summary.Group group) {
    return group
        .first()
        .withVariant("%s x %s".formatted(group.infrastructure(), Numbers.plain(group.scale())));
  }

  /** Returns the tables of each group and the legend. Ids end with the number of the group. */
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    List<Summary.Group> groups = Variants.detailed(summary);
    for (int i = 0; i < groups.size(); i++) {
      Summary.Group group = groups.get(i);
      String suffix = "-" + (i + 1);
      String hosts = hosts(group);
      blocks.add(
          Stack.of(
              new Heading(
                  "%s, %s case%s".formatted(hosts, group.cases(), group.cases() == 1 ? "" : "s")),
              classes("classes" + suffix, hosts, group)));
      blocks.add(TOTALS.table("totals" + suffix, "Totals, " + hosts, group.rows()));
      experiment
          .reference()
          .ifPresent(
              reference ->
                  blocks.add(new Stack(against("active" + suffix, hosts, group, reference))));
    }
    blocks.add(
        Text.of(
            """
            Means over the cases, ± half of the 95 % confidence interval (Student's t). ± covers
            the workloads and seeds that ran; it does not say how others would vary.
            fulfil: share that has what was promised; avail.: time in service / time since
            admission; deficit: SLO - availability of those that have not; never ran: requests
            never in service; penalty: what the deficits cost, with the bonus that is due;
            preemptions: how often instances were preempted; waiting: mean time not in service;
            pending: requests that wait for a host, on average; restarts: starts after a
            preemption; lost work: starts that a preemption preceded or ended, and service
            that it undid."""));
    VariantFigures variants = new VariantFigures(summary);
    if (!variants.isEmpty()) {
      blocks.add(
          Stack.of(
              new Heading("penalty core h by watchdog and margin"),
              variants.penalties(),
              variants.reading()));
    }
    return blocks;
  }

  private static Table classes(String id, String hosts, Summary.Group group) {
    Table.Builder table = columns("").builder(id, "Service classes, " + hosts);
    for (String name : group.classNames()) {
      table.group(name);
      group.rows().stream()
          .filter(each -> ClassFigures.find(each.classes(), name).isPresent())
          .forEach(each -> table.row(columns(name).row(each)));
    }
    return table.build();
  }

  private static Columns<Summary.Row> columns(String name) {
    return new Columns<Summary.Row>()
        .unnamed("policy", each -> each.policy().label())
        .cells("fulfil", each -> Cells.estimate(each.get(name, ClassFigures.MET), 4))
        .cells("mean avail.", each -> Cells.estimate(each.get(name, ClassFigures.MEAN), 4))
        .cells("min avail.", each -> Cells.estimate(each.get(name, ClassFigures.MIN), 4))
        .cells("deficit", each -> Cells.estimate(each.get(name, ClassFigures.MEAN_DEFICIT), 4))
        .cells("never ran", each -> Cells.estimate(each.get(name, ClassFigures.NEVER_RAN), 1));
  }

  private static Cell estimate(Summary.Row row, Figure<RunMetrics> figure) {
    return Cells.estimate(row.get(figure), figure.digits());
  }

  private static String failed(Summary.Row row) {
    return row.failed() == 0 ? "" : " (" + row.failed() + " failed)";
  }

  private List<Block> against(String id, String hosts, Summary.Group group, String reference) {
    List<String> lines = new ArrayList<>();
    Summary.Row theirs = group.row(reference);
    for (Summary.Row row : group.rows()) {
      if (row.policy().role() == ComparedPolicy.Role.POLICY
          && !row.policy().label().equals(reference)) {
        Optional<Double> excess = Summary.excess(theirs, row);
        lines.add(
            "penalties of %s over those of %s: %s"
                .formatted(
                    reference,
                    row.policy().label(),
                    excess
                        .map(share -> String.format(Locale.ROOT, "%+.1f %%", 100 * share))
                        .orElse("undefined, it has none")));
      }
    }
    lines.add(
        "intervals of %s by what %s delivers: %s none, %s low, %s medium, %s high"
            .formatted(
                Durations.format(experiment.metrics().interval()),
                reference,
                group.intervals().getOrDefault(Contention.NONE, 0L),
                group.intervals().getOrDefault(Contention.LOW, 0L),
                group.intervals().getOrDefault(Contention.MEDIUM, 0L),
                group.intervals().getOrDefault(Contention.HIGH, 0L)));
    List<Block> blocks = new ArrayList<>(List.of(Text.ofLines(lines)));
    Table active = active(id, hosts, group);
    if (!active.rows().isEmpty()) {
      blocks.add(active);
    }
    return blocks;
  }

  private static Table active(String id, String hosts, Summary.Group group) {
    Table.Builder table =
        Table.builder(id, "Smallest availability of active requests, " + hosts)
            .column(Column.ofText("smallest availability of active requests").withKey("policy"))
            .column(Column.unnamed("class").alignedAt(Table.Alignment.END));
    Contention.LEVELS.forEach(each -> table.column(Column.ofNumbers(each.word())));
    for (Summary.Row row : group.rows()) {
      if (row.policy().role() == ComparedPolicy.Role.UPPER_BOUND) {
        continue;
      }
      Set<String> seen =
          row.active().values().stream()
              .flatMap(List::stream)
              .map(ClassFigures::name)
              .collect(Collectors.toSet());
      for (String name : group.classNames().stream().filter(seen::contains).toList()) {
        List<Cell> cells =
            new ArrayList<>(List.of(Cell.of("  " + row.policy().label()), Cell.of(name)));
        Contention.LEVELS.forEach(
            level -> cells.add(Cells.estimate(row.get(level, name, ClassFigures.MIN), 3)));
        table.row(cells);
      }
    }
    return table.build();
  }
}
