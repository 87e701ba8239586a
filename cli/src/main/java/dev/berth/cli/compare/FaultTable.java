package dev.berth.cli.compare;

import dev.berth.experiments.CellResult;
import dev.berth.report.Block;
import dev.berth.report.Heading;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import dev.berth.simulator.FaultCounts;
import dev.berth.simulator.RunResult;
import java.util.List;
import java.util.Optional;

/** What went wrong between unreliable fleets and their schedulers: a row for each run. */
final class FaultTable {

  private static final double NANOS_PER_SECOND = 1e9;

  private FaultTable() {}

  /** Returns the table with its legend; empty if all fleets were reliable. */
  static Optional<Block> of(List<CellResult> outcomes) {
    Table.Builder table =
        Table.builder("faults", "Faults")
            .column(Column.unnamed("policy"))
            .column(Column.ofNumbers("reports"))
            .column(Column.ofNumbers("lost").withGap(1))
            .column(Column.ofNumbers("twice").withGap(1))
            .column(Column.ofNumbers("late").withGap(1))
            .column(Column.ofNumbers("stale").withGap(1))
            .column(Column.ofNumbers("actions\nrefused"))
            .column(Column.ofNumbers("starts\nfailed").withGap(1))
            .column(Column.ofNumbers("hosts\nchanged").withGap(1))
            .column(Column.ofNumbers("re-\nstarts").withGap(1))
            .column(Column.ofNumbers("cor-\nrected").withGap(1))
            .column(Column.ofNumbers("misjudged\nmax s").withGap(1));
    boolean any = false;
    for (CellResult each : outcomes) {
      Optional<FaultCounts> faults = each.totals().flatMap(RunResult::faults);
      if (faults.isPresent()) {
        table.row(row(each.policy().label(), faults.get()));
        any = true;
      }
    }
    return any
        ? Optional.of(Stack.of(new Heading("faults"), table.build(), Text.ofLines(legend())))
        : Optional.empty();
  }

  private static List<Cell> row(String label, FaultCounts faults) {
    return List.of(
        Cell.of(label),
        Cell.count(faults.reports()),
        Cell.count(faults.lost()),
        Cell.count(faults.doubled()),
        Cell.count(faults.delayed()),
        Cell.count(faults.stale()),
        Cell.count(faults.refused()),
        Cell.count(faults.failedStarts()),
        Cell.count(faults.drifts()),
        Cell.count(faults.restarts()),
        Cell.count(faults.differences()),
        Cell.number(faults.misjudged().toNanos() / NANOS_PER_SECOND, 1));
  }

  private static List<String> legend() {
    return List.of(
        "reports: of the fleet, about instances and hosts; stale: said nothing new when they came;",
        "corrected: differences that reconciliations found; misjudged: how far the scheduler's",
        "account of a request's service was off at most. All other figures are the true ones.");
  }
}
