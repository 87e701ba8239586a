package dev.berth.experiments.studies.hysteresis;

import dev.berth.experiments.output.Cells;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.ClassResult;
import dev.berth.simulator.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The figures of each class and policy as tables and as CSV. */
final class Tables {

  static final String LEGEND =
      """
      availability: time in service / time since admission; SLO met: share of the requests that reach it; deficit: SLO -
      availability of those that do not, 0 if all do; penalty: what the deficits cost; preempted: number of preemptions;
      lost work: starts that a preemption preceded or ended, and service that it undid. ±: 95 % confidence interval of the
      mean (Student's t).""";

  static final String BOUND = "bound";

  static final String BOUND_LEGEND =
      """
      bound: no policy can do better. The penalty holds for all classes together; the share that meets its SLO, for a class
      after the more important ones got all that they can use.""";

  private Tables() {}

  static Text legend() {
    return Text.ofLines(LEGEND.lines().toList());
  }

  static Text boundLegend() {
    return Text.ofLines(BOUND_LEGEND.lines().toList());
  }

  /** Returns a table with its title. */
  static List<Block> of(String id, String title, Runs runs) {
    Table.Builder table = Table.builder(id, title).column(Table.Column.unnamed("policy"));
    for (Figure each : Figure.values()) {
      table.column(each.column());
    }
    for (ClassResult each : runs.classes()) {
      table.group(
          "%s (SLO %s), %s requests"
              .formatted(each.name(), Numbers.plain(each.slo()), count(runs, each.name())));
      for (String label : runs.labels()) {
        List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(label)));
        for (Figure figure : Figure.values()) {
          cells.add(Cells.estimate(runs.of(label, each.name(), figure), figure.digits()));
        }
        table.row(cells);
      }
      if (runs.bounds().exist()) {
        table.row(bound(runs, Optional.of(each.name()), runs.classes().size() == 1));
      }
    }
    if (runs.classes().size() > 1) {
      table.group("all classes");
      for (String label : runs.labels()) {
        List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(label)));
        for (Figure figure : Figure.values()) {
          cells.add(
              figure.isSum()
                  ? Cells.estimate(runs.total(label, figure), figure.digits())
                  : Table.Cell.of(""));
        }
        table.row(cells);
      }
      if (runs.bounds().exist()) {
        table.row(bound(runs, Optional.empty(), true));
      }
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(OnlyFor.of(Medium.TEXT, Text.of(title)));
    blocks.add(table.build());
    if (runs.bounds().exist()) {
      blocks.add(Text.of(runs.bounds().way(runs, HysteresisStudy.PRIORITY)));
    }
    return blocks;
  }

  /** Returns the row of bounds of a class, or of no class but of the sum over all. */
  private static List<Table.Cell> bound(Runs runs, Optional<String> serviceClass, boolean ofAll) {
    List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(BOUND)));
    for (Figure each : Figure.values()) {
      if (each == Figure.MET && serviceClass.isPresent()) {
        cells.add(Cells.estimate(runs.bounds().fulfilment(serviceClass.get()), each.digits()));
      } else if (each == Figure.PENALTY && ofAll) {
        cells.add(Cells.estimate(runs.bounds().penalty(), each.digits()));
      } else {
        cells.add(Table.Cell.of(""));
      }
    }
    return cells;
  }

  /** Returns the number of requests of a class: one number, or the range over the cases. */
  private static String count(Runs runs, String serviceClass) {
    List<Long> counts =
        runs.runs(runs.labels().get(0)).stream()
            .flatMap(run -> run.classes().stream())
            .filter(each -> each.name().equals(serviceClass))
            .map(ClassResult::count)
            .sorted()
            .toList();
    String least = Numbers.grouped(counts.get(0));
    String most = Numbers.grouped(counts.get(counts.size() - 1));
    return least.equals(most) ? least : least + " to " + most;
  }

  /** Returns an empty series for {@link #add}. */
  static CsvText series(String name) {
    return new CsvText(
        name,
        "setting",
        "policy",
        "seed",
        "class",
        "requests",
        "availability_min",
        "availability_mean",
        "availability_max",
        "fulfilment",
        "deficit_mean",
        "deficit_max",
        "never_ran",
        "penalty_core_h",
        "preemptions",
        "restarts_h",
        "lost_work_h");
  }

  /** Adds all runs of a setting. */
  static void add(CsvText series, String setting, Runs runs) {
    for (String label : runs.labels()) {
      for (RunResult run : runs.runs(label)) {
        for (ClassResult each : run.classes()) {
          if (each.count() > 0) {
            series.row(
                setting,
                label,
                run.seed(),
                each.name(),
                each.count(),
                exact(each.min()),
                exact(each.mean()),
                exact(each.max()),
                exact(each.fulfilment()),
                exact(each.meanDeficit()),
                exact(each.maxDeficit()),
                each.neverRan(),
                exact(OptionalDouble.of(each.penalty())),
                each.preemptions(),
                exact(OptionalDouble.of(each.restartOverhead() / 3_600)),
                exact(OptionalDouble.of(each.lostWork() / 3_600)));
          }
        }
      }
    }
  }

  private static String exact(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.6f", value.getAsDouble()) : "";
  }
}
