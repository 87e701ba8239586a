package dev.berth.experiments.page;

import com.google.common.collect.ImmutableList;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.store.JobFile;
import dev.berth.experiments.store.RequestLife;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The results of an experiment as a table with typed columns, for files that programs read. Rows
 * are in the order of the experiment, and made one after another.
 *
 * @param name of a row
 * @param columns in order
 * @param rows visits the rows
 * @param <R> a row
 */
public record ResultTable<R>(String name, List<Column<R>> columns, Rows<R> rows) {

  /** The figures that a row of a class has. */
  static final List<Figure<ClassResult>> OF_CLASSES =
      List.of(
          ClassFigures.COUNT,
          ClassFigures.FULFILMENT,
          ClassFigures.MET,
          ClassFigures.MIN,
          ClassFigures.MEAN,
          ClassFigures.MAX,
          ClassFigures.MEAN_DEFICIT,
          ClassFigures.MAX_DEFICIT,
          ClassFigures.NEVER_RAN,
          ClassFigures.PREEMPTIONS);

  /** Copies the list. */
  public ResultTable {
    columns = List.copyOf(columns);
  }

  /** The type of a column. */
  public enum Type {
    /** A {@link String}. */
    TEXT,
    /** A {@link Long}. */
    WHOLE,
    /** A {@link Double}. */
    NUMBER,
    /** A {@link Boolean}. */
    TRUTH
  }

  /**
   * A column.
   *
   * @param of the value in a row, of the type; null if it is undefined or unknown
   */
  public record Column<R>(String name, Type type, Function<R, @Nullable Object> of) {}

  /** Visits rows in order. */
  @FunctionalInterface
  public interface Rows<R> {

    /**
     * Calls a visitor with each row.
     *
     * @throws IOException if results cannot be read, or as the visitor
     */
    void each(Visitor<R> visitor) throws IOException;
  }

  /** Receives rows. */
  @FunctionalInterface
  public interface Visitor<R> {

    /** Called with a row. */
    void visit(R row) throws IOException;
  }

  /** A row for each run; a failed one has no figures. */
  public record Run(CellResult result, Optional<RunMetrics> metrics) {}

  /** A row for each run and class. */
  public record OfClass(CellResult result, ClassResult got) {}

  /** A row for each run and request. */
  public record Job(CellResult result, RequestLife life) {}

  /** Returns the table of runs. */
  public static ResultTable<Run> runs(List<CellResult> results) {
    return new ResultTable<>(
        "run",
        new Columns<Run>()
            .ofCase(Run::result)
            .text("failure", each -> each.result().failure().orElse(null))
            .number(
                "simulated_s", of(each -> OptionalDouble.of(seconds(each.result().simulated()))))
            .whole("passes", whole(each -> each.result().passes()))
            .whole("placements", whole(each -> each.result().placements()))
            .whole("preemptions", whole(each -> each.result().preemptions()))
            .whole("requests", whole(each -> each.result().arrivals()))
            .whole("completed", whole(each -> each.result().completed()))
            .whole("unfinished", whole(each -> each.result().unfinished()))
            .whole("refused", whole(each -> each.result().refused()))
            .whole("cancelled", whole(each -> each.result().cancelled()))
            .number("waiting_mean_s", of(each -> each.result().waitingMean()))
            .number("pending_mean", of(each -> OptionalDouble.of(each.meanPending())))
            .whole("pending_max", whole(RunMetrics::maxPending))
            .number(
                "restart_overhead_s",
                of(each -> OptionalDouble.of(each.result().restartOverhead())))
            .number("lost_work_s", of(each -> OptionalDouble.of(each.result().lostWork())))
            .number("kept_service_s", of(each -> OptionalDouble.of(each.result().keptService())))
            .number("penalty_core_h", of(each -> OptionalDouble.of(each.result().penalty())))
            .list(),
        visitor -> {
          for (CellResult each : results) {
            visitor.visit(new Run(each, each.metrics()));
          }
        });
  }

  /** Returns the table of the classes of runs; failed runs have no rows. */
  public static ResultTable<OfClass> classes(List<CellResult> results) {
    Columns<OfClass> columns =
        new Columns<OfClass>()
            .ofCase(OfClass::result)
            .text("class", each -> each.got().name())
            .number("slo", each -> each.got().slo());
    for (Figure<ClassResult> each : OF_CLASSES) {
      if (each.digits() == 0) {
        columns.whole(each.column(), row -> (long) each.of(row.got()).orElseThrow());
      } else {
        columns.number(each.column(), row -> orNull(each.of(row.got())));
      }
    }
    return new ResultTable<>(
        "class",
        columns
            .number("waiting_mean_s", each -> orNull(each.got().waiting().mean()))
            .number("waiting_median_s", each -> orNull(each.got().waiting().median()))
            .number("waiting_p95_s", each -> orNull(each.got().waiting().p95()))
            .number("waiting_max_s", each -> orNull(each.got().waiting().max()))
            .number("restart_overhead_s", each -> each.got().restartOverhead())
            .number("lost_work_s", each -> each.got().lostWork())
            .number("penalty_core_h", each -> each.got().penalty())
            .list(),
        visitor -> {
          for (CellResult result : results) {
            if (result.stored().isPresent()) {
              for (ClassResult each : result.totals().orElseThrow().classes()) {
                visitor.visit(new OfClass(result, each));
              }
            }
          }
        });
  }

  /**
   * Returns the table of the requests of runs, in the order of {@link JobFile}; failed runs have no
   * rows.
   *
   * @param results runs whose jobs were recorded
   */
  public static ResultTable<Job> jobs(List<CellResult> results) {
    return new ResultTable<>(
        "request",
        new Columns<Job>()
            .ofCase(Job::result)
            .text("id", each -> each.life().id())
            .text("class", each -> each.life().serviceClass())
            .text("user", each -> each.life().user().orElse(null))
            .whole("submitted_ns", each -> each.life().submitted())
            .whole("placed_ns", each -> orNull(each.life().placed()))
            .whole("started_ns", each -> orNull(each.life().started()))
            .whole("ended_ns", each -> orNull(each.life().ended()))
            .text("host", each -> each.life().host().orElse(null))
            .whole("placements", each -> (long) each.life().placements())
            .whole("preemptions", each -> (long) each.life().preemptions())
            .whole("service_ns", each -> each.life().service())
            .whole("waiting_ns", each -> each.life().waiting())
            .number("availability", each -> orNull(each.life().availability()))
            .truth("slo_met", each -> each.life().sloMet().orElse(null))
            .text("outcome", each -> each.life().end().name().toLowerCase(Locale.ROOT))
            .list(),
        visitor -> {
          for (CellResult each : results) {
            if (each.stored().isPresent()) {
              JobFile.read(each.stored().get().jobs(), life -> visitor.visit(new Job(each, life)));
            }
          }
        });
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static Function<Run, @Nullable Double> of(Function<RunMetrics, OptionalDouble> figure) {
    return row -> row.metrics().map(each -> orNull(figure.apply(each))).orElse(null);
  }

  private static Function<Run, @Nullable Long> whole(Function<RunMetrics, Long> figure) {
    return row -> row.metrics().map(figure).orElse(null);
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  /** Makes columns. */
  private static final class Columns<R> {

    private final ImmutableList.Builder<Column<R>> all = ImmutableList.builder();

    /** Adds what the run of a row was. */
    Columns<R> ofCase(Function<R, CellResult> result) {
      return text("workload", each -> result.apply(each).cell().setting().workload())
          .text("infrastructure", each -> result.apply(each).cell().setting().infrastructure())
          .number("scale", each -> result.apply(each).cell().setting().scale())
          .number("watchdog_s", each -> seconds(settings(result.apply(each)).watchdog()))
          .number("margin_s", each -> seconds(settings(result.apply(each)).margin()))
          .whole("seed", each -> result.apply(each).cell().setting().seed())
          .text("policy", each -> result.apply(each).policy().label());
    }

    private static RunSettings settings(CellResult result) {
      return result.cell().setting().settings();
    }

    Columns<R> text(String name, Function<R, @Nullable String> of) {
      return add(name, Type.TEXT, of::apply);
    }

    Columns<R> whole(String name, Function<R, @Nullable Long> of) {
      return add(name, Type.WHOLE, of::apply);
    }

    Columns<R> number(String name, Function<R, @Nullable Double> of) {
      return add(name, Type.NUMBER, of::apply);
    }

    Columns<R> truth(String name, Function<R, @Nullable Boolean> of) {
      return add(name, Type.TRUTH, of::apply);
    }

    private Columns<R> add(String name, Type type, Function<R, @Nullable Object> of) {
      all.add(new Column<>(name, type, of));
      return this;
    }

    List<Column<R>> list() {
      return all.build();
    }
  }
}
