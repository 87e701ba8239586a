package dev.berth.experiments.page;

import dev.berth.core.config.Durations;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.figures.Variants;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.IntervalChart;
import dev.berth.report.Numbers;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How policies fare with each watchdog and margin, for an experiment that varies these. */
final class VariantFigures {

  private static final int MOST_COLUMNS = 3;

  private final List<Variants> all;
  private final boolean oneKindOfHosts;

  VariantFigures(Summary summary) {
    this.all = Variants.of(summary);
    this.oneKindOfHosts =
        all.stream().map(each -> each.first().infrastructure()).distinct().count() == 1;
  }

  /** Returns whether there is nothing to show, since neither watchdog nor margin varies. */
  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns a sentence for the hosts at each scale. */
  List<Text> sentences() {
    return all.stream().map(each -> Text.of(sentence(each))).toList();
  }

  private String sentence(Variants variants) {
    return variants.first().rows().stream()
        .filter(each -> each.policy().role() == ComparedPolicy.Role.POLICY)
        .map(each -> each.policy().label())
        .filter(each -> variants.least(each).isPresent())
        .sorted(Comparator.comparing(each -> variants.least(each).orElseThrow()))
        .map(
            each ->
                "%s %s (%s)"
                    .formatted(
                        each,
                        Numbers.grouped(variants.least(each).orElseThrow(), 2),
                        variants.bestNames(each)))
        .collect(
            Collectors.joining(
                "; ",
                "%s: smallest penalty of each policy, in core-hours: ".formatted(hosts(variants)),
                "."));
  }

  private String hosts(Variants variants) {
    String scale = "× " + Numbers.plain(variants.first().scale());
    return oneKindOfHosts ? scale : variants.first().infrastructure() + " " + scale;
  }

  Text reading() {
    return Text.of(
        "Best: the watchdog and margin with the smallest mean penalty, and how many others are not"
            + " clearly worse, case by case. The best of many is also lucky: its penalty on other"
            + " seeds is likely to be somewhat greater.");
  }

  /** Returns a table of penalties: a row for each variant, a column for each policy. */
  Table penalties() {
    Table.Builder table =
        builder("variants-penalty", "Penalty in core-hours by watchdog and margin");
    for (Variants each : all) {
      table.group(hosts(each));
      addRows(table, each, row -> row.get(Totals.PENALTY), Totals.PENALTY.digits());
      List<Table.Cell> best = new ArrayList<>(List.of(Table.Cell.of("best")));
      each.first()
          .rows()
          .forEach(row -> best.add(Table.Cell.of(brief(each.bestNames(row.policy().label())))));
      table.row(best);
    }
    return table.build();
  }

  /** Returns names of variants without the words that the column has. */
  private static String brief(String names) {
    return names.replace("watchdog ", "").replace("margin ", "");
  }

  /** Returns a table for each class. */
  List<Block> met() {
    List<Block> tables = new ArrayList<>();
    for (String name : all.get(0).first().classNames()) {
      Table.Builder table =
          builder(
              "variants-met-" + ExperimentPage.plain(name),
              "Share of %s that met the objective".formatted(name));
      for (Variants each : all) {
        table.group(hosts(each));
        addRows(table, each, row -> row.get(name, ClassFigures.MET), ClassFigures.MET.digits());
      }
      tables.add(table.build());
    }
    return tables;
  }

  private Table.Builder builder(String id, String caption) {
    Table.Builder table =
        Table.builder(id, caption).column(Table.Column.unnamed("watchdog and margin"));
    all.get(0)
        .first()
        .rows()
        .forEach(each -> table.column(Table.Column.ofNumbers(each.policy().label())));
    return table;
  }

  private static void addRows(
      Table.Builder table, Variants variants, Function<Summary.Row, Sample> figure, int digits) {
    for (Summary.Group group : variants.groups()) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(group.first().variant())));
      group.rows().forEach(row -> cells.add(Cells.estimate(figure.apply(row), digits)));
      table.row(cells);
    }
  }

  /** Returns charts of penalties: for each watchdog by margin, or one by watchdog. */
  Grid charts() {
    List<Chart> charts = new ArrayList<>();
    int columns = 1;
    for (Variants variants : all) {
      Map<Duration, List<Summary.Group>> byWatchdog = new LinkedHashMap<>();
      for (Summary.Group each : variants.groups()) {
        byWatchdog.computeIfAbsent(watchdog(each), its -> new ArrayList<>()).add(each);
      }
      Axis axis = penalty(variants);
      if (byWatchdog.size() == variants.groups().size()) {
        charts.add(chart(charts.size(), hosts(variants), "watchdog", axis, variants.groups()));
      } else {
        byWatchdog.forEach(
            (watchdog, groups) ->
                charts.add(
                    chart(
                        charts.size(),
                        "%s, watchdog %s".formatted(hosts(variants), Durations.format(watchdog)),
                        "margin",
                        axis,
                        groups)));
        columns = Math.min(MOST_COLUMNS, byWatchdog.size());
      }
    }
    return new Grid(columns, charts);
  }

  /** Returns an axis that all charts on the same hosts share. */
  private static Axis penalty(Variants variants) {
    double most =
        variants.groups().stream()
            .flatMap(each -> each.rows().stream())
            .map(each -> each.get(Totals.PENALTY))
            .filter(each -> each.size() > 0)
            .mapToDouble(each -> each.mean() + each.halfWidth().orElse(0))
            .max()
            .orElse(0);
    Axis axis = Axis.of("penalty", "core-hours");
    return most > 0 ? axis.within(0, most > 1 ? Math.ceil(most) : most) : axis;
  }

  private static Chart chart(
      int number, String title, String category, Axis axis, List<Summary.Group> groups) {
    Function<Summary.Group, String> name =
        each -> Durations.format(category.equals("margin") ? margin(each) : watchdog(each));
    List<Series<IntervalChart.Interval>> series = new ArrayList<>();
    for (Summary.Row row : groups.get(0).rows()) {
      String label = row.policy().label();
      Map<String, IntervalChart.Interval> values = new LinkedHashMap<>();
      for (Summary.Group each : groups) {
        Sample penalty = each.row(label).get(Totals.PENALTY);
        if (penalty.size() > 0) {
          values.put(name.apply(each), interval(penalty));
        }
      }
      series.add(new Series<>(label, values));
    }
    return new IntervalChart(
        "variants-" + (number + 1),
        title,
        "Penalty of each policy by %s.".formatted(category),
        category,
        axis,
        groups.stream().map(name).toList(),
        series,
        Optional.empty());
  }

  private static IntervalChart.Interval interval(Sample sample) {
    double half = sample.halfWidth().orElse(0);
    return new IntervalChart.Interval(
        sample.mean(), Math.max(0, sample.mean() - half), sample.mean() + half);
  }

  private static Duration watchdog(Summary.Group group) {
    return group.first().settings().watchdog();
  }

  private static Duration margin(Summary.Group group) {
    return group.first().settings().margin();
  }
}
