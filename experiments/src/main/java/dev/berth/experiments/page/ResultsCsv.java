package dev.berth.experiments.page;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.simulator.result.ClassResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The runs of an experiment as a table: a row for each run and class. */
public final class ResultsCsv {

  private static final int DIGITS = 9;

  private record Row(Case setting, String policy, ClassResult got) {}

  private ResultsCsv() {}

  private static String seconds(Duration duration) {
    return Numbers.plain(ResultTable.seconds(duration));
  }

  public static CsvText of(List<CellResult> results) {
    List<Row> rows = new ArrayList<>();
    for (CellResult each : results) {
      each.totals()
          .ifPresent(
              run ->
                  run.classes()
                      .forEach(
                          its ->
                              rows.add(
                                  new Row(each.cell().setting(), each.policy().label(), its))));
    }
    return new CsvColumns<Row>()
        .add("workload", each -> each.setting().workload())
        .add("infrastructure", each -> each.setting().infrastructure())
        .add("scale", each -> Numbers.plain(each.setting().scale()))
        .add("watchdog_s", each -> seconds(each.setting().settings().watchdog()))
        .add("margin_s", each -> seconds(each.setting().settings().margin()))
        .add("seed", each -> each.setting().seed())
        .add("policy", Row::policy)
        .add("class", each -> each.got().name())
        .add("slo", each -> Numbers.plain(each.got().slo()))
        .add(ResultTable.OF_CLASSES, Row::got, DIGITS)
        .add("waiting_mean_s", each -> each.got().waiting().mean())
        .add("waiting_median_s", each -> each.got().waiting().median())
        .add("waiting_p95_s", each -> each.got().waiting().p95())
        .add("waiting_max_s", each -> each.got().waiting().max())
        .add("restart_overhead_s", each -> each.got().restartOverhead())
        .add("lost_work_s", each -> each.got().lostWork())
        .add(List.of(ClassFigures.PENALTY), Row::got, DIGITS)
        .of("results", rows);
  }
}
