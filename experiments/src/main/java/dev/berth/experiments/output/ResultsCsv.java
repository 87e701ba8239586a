package dev.berth.experiments.output;

import dev.berth.experiments.Case;
import dev.berth.experiments.CellResult;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.simulator.ClassResult;
import dev.berth.simulator.metrics.RunMetrics;
import java.util.List;
import java.util.OptionalDouble;

/** The runs of an experiment as a table: a row for each run and class. */
public final class ResultsCsv {

  private ResultsCsv() {}

  public static CsvText of(List<CellResult> results) {
    CsvText table =
        new CsvText(
            "results",
            "workload",
            "infrastructure",
            "scale",
            "seed",
            "policy",
            "class",
            "slo",
            "requests",
            "fulfilment",
            "availability_min",
            "availability_mean",
            "availability_max",
            "deficit_mean",
            "deficit_max",
            "never_ran",
            "preemptions",
            "waiting_mean_s",
            "waiting_median_s",
            "waiting_p95_s",
            "waiting_max_s",
            "restart_overhead_s",
            "lost_work_s",
            "penalty_core_h");
    for (CellResult each : results) {
      each.metrics().ifPresent(metrics -> add(table, each, metrics));
    }
    return table;
  }

  private static void add(CsvText table, CellResult result, RunMetrics metrics) {
    Case setting = result.cell().setting();
    for (ClassResult got : metrics.result().classes()) {
      table.row(
          setting.workload(),
          setting.infrastructure(),
          Numbers.plain(setting.scale()),
          setting.seed(),
          result.cell().policy().label(),
          got.name(),
          Numbers.plain(got.slo()),
          got.count(),
          exact(got.fulfilment()),
          exact(got.min()),
          exact(got.mean()),
          exact(got.max()),
          exact(got.meanDeficit()),
          exact(got.maxDeficit()),
          got.neverRan(),
          got.preemptions(),
          got.waiting().mean(),
          got.waiting().median(),
          got.waiting().p95(),
          got.waiting().max(),
          got.restartOverhead(),
          got.lostWork(),
          exact(OptionalDouble.of(got.penalty())));
    }
  }

  /** Returns a share to nine digits, or nothing. */
  private static String exact(OptionalDouble value) {
    return value.isPresent() ? Numbers.fixed(value.getAsDouble(), 9) : "";
  }
}
