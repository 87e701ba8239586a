package dev.berth.cli.compare;

import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.run.CellResult;
import dev.berth.report.Block;
import dev.berth.report.Heading;
import dev.berth.report.Stack;
import dev.berth.report.Table.Cell;
import dev.berth.report.Text;
import dev.berth.simulator.result.FaultCounts;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What went wrong between unreliable fleets and their schedulers: a row for each run. */
final class FaultTable {

  private static final double NANOS_PER_SECOND = 1e9;

  private record Row(String policy, FaultCounts faults) {}

  private static final Columns<Row> COLUMNS =
      new Columns<Row>()
          .unnamed("policy", Row::policy)
          .cells("reports", each -> Cell.count(each.faults().reports()))
          .cells("lost", 1, each -> Cell.count(each.faults().lost()))
          .cells("twice", 1, each -> Cell.count(each.faults().doubled()))
          .cells("late", 1, each -> Cell.count(each.faults().delayed()))
          .cells("stale", 1, each -> Cell.count(each.faults().stale()))
          .cells("actions\nrefused", each -> Cell.count(each.faults().refused()))
          .cells("starts\nfailed", 1, each -> Cell.count(each.faults().failedStarts()))
          .cells("hosts\nchanged", 1, each -> Cell.count(each.faults().drifts()))
          .cells("re-\nstarts", 1, each -> Cell.count(each.faults().restarts()))
          .cells("cor-\nrected", 1, each -> Cell.count(each.faults().differences()))
          .cells("misjudged\nmax s", 1, each -> misjudged(each.faults()));

  private FaultTable() {}

  /** Returns the table with its legend; empty if all fleets were reliable. */
  static Optional<Block> of(List<CellResult> outcomes) {
    List<Row> rows = new ArrayList<>();
    for (CellResult each : outcomes) {
      each.totals()
          .flatMap(RunResult::faults)
          .ifPresent(faults -> rows.add(new Row(each.policy().label(), faults)));
    }
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Stack.of(
                new Heading("faults"),
                COLUMNS.table("faults", "Faults", rows),
                Text.ofLines(legend())));
  }

  private static Cell misjudged(FaultCounts faults) {
    return Cell.number(faults.misjudged().toNanos() / NANOS_PER_SECOND, 1);
  }

  private static List<String> legend() {
    return List.of(
        "reports: of the fleet, about instances and hosts; stale: said nothing new when they came;",
        "corrected: differences that reconciliations found; misjudged: how far the scheduler's",
        "account of a request's service was off at most. All other figures are the true ones.");
  }
}
