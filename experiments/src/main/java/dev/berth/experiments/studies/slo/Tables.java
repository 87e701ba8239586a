package dev.berth.experiments.studies.slo;

import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** The figures of each class and policy as tables and as CSV. */
final class Tables {

  static final Text LEGEND =
      lines(
          """
          availability: time in service / time since admission; SLO met: share of the requests that reach it; deficit: SLO -
          availability of those that do not, 0 if all do; penalty: what the deficits cost; preempted: number of preemptions;
          lost work: starts that a preemption preceded or ended, and service that it undid. ±: 95 % confidence interval of the
          mean (Student's t).\
          """);

  static final String BOUND = "bound";
  private static final int DIGITS_OF_SERIES = 6;

  static final Text BOUND_LEGEND =
      lines(
          """
          bound: no policy can do better. The penalty holds for all classes together; the share that meets its SLO, for a class
          after the more important ones got all that they can use.\
          """);

  private Tables() {}

  static Text lines(String text) {
    return Text.ofLines(text.lines().toList());
  }

  /** Returns a table with its title. */
  static List<Block> of(String id, String title, Runs runs) {
    Table.Builder table = columns(runs, "").builder(id, title);
    List<ClassResult> classes = runs.classes();
    for (ClassResult each : classes) {
      String name = each.name();
      table.group(
          "%s (SLO %s), %s requests".formatted(name, Numbers.plain(each.slo()), count(runs, name)));
      runs.labels().forEach(label -> table.row(columns(runs, name).row(label)));
      if (runs.bounds().exist()) {
        table.row(bound(runs, Optional.of(name), classes.size() == 1));
      }
    }
    if (classes.size() > 1) {
      table.group("all classes");
      runs.labels().forEach(label -> table.row(sums(runs).row(label)));
      if (runs.bounds().exist()) {
        table.row(bound(runs, Optional.empty(), true));
      }
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(OnlyFor.inText(title));
    blocks.add(table.build());
    if (runs.bounds().exist()) {
      blocks.add(Text.of(runs.bounds().way(runs, HysteresisStudy.PRIORITY)));
    }
    return blocks;
  }

  private static Columns<String> columns(Runs runs, String serviceClass) {
    return columns(
        (label, figure) -> Cells.estimate(runs.of(label, serviceClass, figure), figure.digits()));
  }

  private static Columns<String> sums(Runs runs) {
    return columns(
        (label, figure) ->
            figure.isSum()
                ? Cells.estimate(runs.total(label, figure), figure.digits())
                : Table.Cell.of(""));
  }

  private static Columns<String> columns(BiFunction<String, Figure, Table.Cell> cell) {
    Columns<String> columns = new Columns<String>().unnamed("policy", label -> label);
    for (Figure each : Figure.values()) {
      columns.add(each.column(), label -> cell.apply(label, each));
    }
    return columns;
  }

  /** Returns the row of bounds of a class, or of no class but of the sum over all. */
  private static List<Table.Cell> bound(Runs runs, Optional<String> serviceClass, boolean ofAll) {
    return columns(
            (label, figure) ->
                figure == Figure.MET && serviceClass.isPresent()
                    ? Cells.estimate(runs.bounds().fulfilment(serviceClass.get()), figure.digits())
                    : figure == Figure.PENALTY && ofAll
                        ? Cells.estimate(runs.bounds().penalty(), figure.digits())
                        : Table.Cell.of(""))
        .row(BOUND);
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

  /** The figures of a class in one run of a setting. */
  private record Row(String setting, String label, long seed, ClassResult got) {}

  /** Returns all runs of the settings as CSV. */
  static CsvText series(String name, Map<String, Runs> settings) {
    List<Row> rows = new ArrayList<>();
    settings.forEach(
        (setting, runs) -> {
          for (String label : runs.labels()) {
            for (RunResult run : runs.runs(label)) {
              run.classes().stream()
                  .filter(each -> each.count() > 0)
                  .forEach(each -> rows.add(new Row(setting, label, run.seed(), each)));
            }
          }
        });
    return new CsvColumns<Row>()
        .add("setting", Row::setting)
        .add("policy", Row::label)
        .add("seed", Row::seed)
        .add("class", each -> each.got().name())
        .add(
            List.of(
                ClassFigures.COUNT,
                ClassFigures.MIN,
                ClassFigures.MEAN,
                ClassFigures.MAX,
                ClassFigures.FULFILMENT,
                ClassFigures.MEAN_DEFICIT,
                ClassFigures.MAX_DEFICIT,
                ClassFigures.NEVER_RAN,
                ClassFigures.PENALTY,
                ClassFigures.PREEMPTIONS,
                ClassFigures.RESTARTS,
                ClassFigures.LOST_WORK),
            Row::got,
            DIGITS_OF_SERIES)
        .of(name, rows);
  }
}
