package dev.berth.cli.compare;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.page.RunWarning;
import dev.berth.experiments.run.CellResult;
import dev.berth.report.Block;
import dev.berth.report.Document;
import dev.berth.report.Section;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Text;
import dev.berth.report.render.Printable;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The outcome of a comparison on one screen: a row for each policy, a few sentences, and what to do
 * next. {@link ComparisonDocument} has the rest.
 *
 * @param title what was run, in one line
 * @param comparison what was run
 * @param outcomes one for each compared policy, in the same order
 * @param summary their summary, with one group
 */
record Glance(String title, Comparison comparison, List<CellResult> outcomes, Summary summary) {

  private static final int MOST_CLASSES = 4;

  /**
   * Returns the document.
   *
   * @param next parts of the command that explains the request that was served worst; empty without
   *     one
   */
  Document build(List<String> next) {
    List<Block> blocks = new ArrayList<>();
    if (!classNames().isEmpty()) {
      blocks.add(table());
    }
    add(blocks, outcomes.stream().flatMap(each -> each.failure().stream()).toList());
    add(blocks, comparison.verdict(summary).brief());
    add(blocks, RunWarning.of(outcomes).stream().flatMap(each -> each.lines().stream()).toList());
    add(blocks, comparison.notes(outcomes));
    List<String> more = new ArrayList<>();
    if (classNames().size() > MOST_CLASSES) {
      more.add(
          "The table has the %s most important of %s classes."
              .formatted(MOST_CLASSES, classNames().size()));
    }
    if (!next.isEmpty()) {
      more.add("Why one was served worst: " + ComparisonDocument.command(next));
    }
    more.add("All figures: --details. A page with pictures: --report DIR");
    blocks.add(Text.of(String.join("\n", more)));
    return new Document(title, "", List.of(new Section("comparison", "", blocks)), List.of());
  }

  private static void add(List<Block> blocks, List<String> lines) {
    if (!lines.isEmpty()) {
      blocks.add(new Text(true, lines.stream().map(Printable::line).toList()));
    }
  }

  private List<String> classNames() {
    return summary.groups().get(0).classNames();
  }

  /** The most important classes beside each other, then what the service of all of them cost. */
  private Table table() {
    Columns<CellResult> columns =
        new Columns<CellResult>().unnamed("policy", each -> each.policy().label());
    List<String> names = classNames();
    for (String name : names.subList(0, Math.min(MOST_CLASSES, names.size()))) {
      columns.cells(name, "met %", each -> met(each, name));
      columns.cells(name, "mean", each -> Cell.number(of(each, name, ClassFigures.MEAN), 3));
    }
    columns.cells("penalty\ncore h", each -> total(each, Totals.PENALTY));
    columns.cells("pre-\nempted", each -> total(each, Totals.PREEMPTIONS));
    columns.cells("lost\nwork h", each -> total(each, Totals.LOST_WORK));
    return columns.table("glance", "The compared policies", outcomes);
  }

  private static Cell met(CellResult outcome, String serviceClass) {
    OptionalDouble share = of(outcome, serviceClass, ClassFigures.MET);
    return share.isPresent() ? Cell.number(100 * share.getAsDouble(), 1) : Cell.absent();
  }

  private static OptionalDouble of(
      CellResult outcome, String serviceClass, Figure<ClassResult> figure) {
    return outcome
        .totals()
        .flatMap(run -> ClassFigures.of(run, serviceClass))
        .map(its -> its.only(figure))
        .orElse(OptionalDouble.empty());
  }

  private static Cell total(CellResult outcome, Figure<RunMetrics> figure) {
    return outcome
        .metrics()
        .map(its -> Cell.number(figure.of(its), figure.digits()))
        .orElse(Cell.absent());
  }
}
