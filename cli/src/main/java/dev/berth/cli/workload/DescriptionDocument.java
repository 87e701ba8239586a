package dev.berth.cli.workload;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.cli.terminal.TimeText;
import dev.berth.experiments.figures.Columns;
import dev.berth.report.Block;
import dev.berth.report.Document;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import dev.berth.report.render.Printable;
import dev.berth.traces.prepare.DemandSample;
import dev.berth.traces.prepare.Distribution;
import dev.berth.traces.prepare.WorkloadDescription;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The description of a workload for people. */
public final class DescriptionDocument {

  private static final MathContext DIGITS = new MathContext(4);
  private static final int BAR = 30;

  /** If at least this share of the service times end with the log, the document says so. */
  private static final double CONSIDERABLE = 0.05;

  private final WorkloadDescription description;
  private final List<DemandSample> series;
  private final Map<String, WorkloadDescription.Figures> groups = new LinkedHashMap<>();

  private DescriptionDocument(WorkloadDescription description, List<DemandSample> series) {
    this.description = description;
    this.series = series;
    groups.putAll(description.byClass());
    groups.put("all", description.all());
  }

  /**
   * Returns the document.
   *
   * @param series the demand over time, in order
   */
  public static Document of(WorkloadDescription description, List<DemandSample> series) {
    return new DescriptionDocument(description, series).build();
  }

  private Document build() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(counts());
    blocks.add(
        description.all().serviceTime().estimated()
            ? Stack.of(
                distributions(),
                Text.of(
                    "percentiles estimated from a random sample of %s requests"
                        .formatted(Distribution.KEPT)))
            : distributions());
    addEnds(blocks);
    blocks.add(peaks());
    int number = 1;
    for (Dimension each : description.all().demand().keySet()) {
      blocks.add(overTime("demand-" + number, each));
      number++;
    }
    return Document.of(
        "%s: admitted from %s to %s; if all run at once, done at %s"
            .formatted(
                description.workload(),
                TimeText.of(description.firstAdmission()),
                TimeText.of(description.lastAdmission()),
                TimeText.of(description.lastEnd())),
        blocks.toArray(Block[]::new));
  }

  /** Adds a note if many instances end together at the end: where the log ends, most likely. */
  private void addEnds(List<Block> blocks) {
    double share = (double) description.endWithLog() / description.all().requests();
    if (share >= CONSIDERABLE) {
      String end = TimeText.of(description.lastEnd());
      blocks.add(
          Text.of(
              ("%s %% of service times end with the log, at %s. These instances may have run"
                      + " longer,\n"
                      + "so let a run end there at the latest: --until %s")
                  .formatted(Math.round(100 * share), end, end)));
    }
  }

  private Table counts() {
    return new Columns<Map.Entry<String, WorkloadDescription.Figures>>()
        .unnamed("class", Map.Entry::getKey)
        .cells("requests", each -> Cell.count(each.getValue().requests()))
        .cells("jobs", each -> Cell.count(each.getValue().jobs()))
        .cells("users", each -> Cell.count(each.getValue().users()))
        .cells("anti-affinity", each -> share(each.getValue(), each.getValue().antiAffine()))
        .cells("constraints", each -> share(each.getValue(), each.getValue().constrained()))
        .table("counts", "Requests by service class", groups.entrySet());
  }

  private static Cell share(WorkloadDescription.Figures figures, long part) {
    return Cell.number((double) part / figures.requests(), 3);
  }

  private record Row(String name, Distribution values) {}

  private static final Columns<Row> DISTRIBUTIONS =
      new Columns<Row>()
          .add(Column.ofText("per request").withKey("class"), each -> Cell.of(each.name()))
          .cells("min", each -> number(each.values().min()))
          .cells("5 %", each -> number(each.values().p5()))
          .cells("median", each -> number(each.values().median()))
          .cells("mean", each -> number(each.values().mean()))
          .cells("95 %", each -> number(each.values().p95()))
          .cells("99 %", each -> number(each.values().p99()))
          .cells("max", each -> number(each.values().max()));

  private Table distributions() {
    Table.Builder table = DISTRIBUTIONS.builder("distributions", "Distributions over requests");
    table.group("service time, s");
    groups.forEach(
        (name, figures) -> table.row(DISTRIBUTIONS.row(new Row(name, figures.serviceTime()))));
    for (Dimension each : description.all().demand().keySet()) {
      table.group(each.name());
      groups.forEach(
          (name, figures) ->
              table.row(DISTRIBUTIONS.row(new Row(name, of(figures, each).perRequest()))));
    }
    return table.build();
  }

  private Table peaks() {
    Table.Builder table =
        Table.builder("peaks", "Demand if all run at once")
            .column(Column.ofText("in use at once").withKey("class"))
            .column(Column.ofNumbers("mean"))
            .column(Column.ofNumbers("peak"))
            .column(Column.ofNumbers("at"));
    for (Dimension each : description.all().demand().keySet()) {
      table.group(each.name());
      groups.forEach(
          (name, figures) -> {
            WorkloadDescription.Demand demand = of(figures, each);
            table.row(
                Cell.of(name),
                number(demand.mean()),
                Cell.of(each.format(demand.peak())),
                demand.peak() == 0 ? Cell.absent() : Cell.of(TimeText.of(demand.peakAt())));
          });
    }
    return table.build();
  }

  private Table overTime(String id, Dimension dimension) {
    List<String> classes = List.copyOf(description.byClass().keySet());
    double most = series.stream().mapToDouble(sample -> total(sample, dimension)).max().orElse(0);
    Table.Builder table =
        Table.builder(id, "Demand for %s over time".formatted(dimension))
            .column(Column.ofText(Printable.line(dimension + " over time")).withKey("at"));
    classes.forEach(
        each -> table.column(Column.ofNumbers(Printable.line(each)).withKey("class " + each)));
    table.column(Column.ofNumbers("all")).column(Column.unnamed("bar"));
    for (DemandSample sample : series) {
      List<Cell> row = new ArrayList<>(List.of(Cell.of("  " + TimeText.of(sample.at()))));
      StringBuilder bar = new StringBuilder();
      double sum = 0;
      for (String each : classes) {
        double amount = amount(sample, each, dimension);
        sum += amount;
        row.add(number(amount / dimension.unitsPerWhole()));
        long until = most == 0 ? 0 : Math.round(BAR * sum / most);
        bar.append(each.substring(0, 1).repeat((int) until - bar.length()));
      }
      row.add(number(sum / dimension.unitsPerWhole()));
      row.add(Cell.of(bar.toString()));
      table.row(row);
    }
    return table.build();
  }

  private static double total(DemandSample sample, Dimension dimension) {
    return sample.byClass().values().stream().mapToDouble(each -> each.amount(dimension)).sum();
  }

  private static double amount(DemandSample sample, String serviceClass, Dimension dimension) {
    return sample.byClass().getOrDefault(serviceClass, Resources.none()).amount(dimension);
  }

  private static WorkloadDescription.Demand of(
      WorkloadDescription.Figures figures, Dimension dimension) {
    WorkloadDescription.Demand demand = figures.demand().get(dimension);
    if (demand == null) {
      throw new IllegalStateException(dimension + " is missing for a class.");
    }
    return demand;
  }

  /** Returns a number with four significant digits. */
  private static Cell number(double value) {
    if (value == 0) {
      return Cell.of("0", 0);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return Cell.of(
        (rounded.scale() > 0 ? rounded.stripTrailingZeros() : rounded).toPlainString(), value);
  }
}
