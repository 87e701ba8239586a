package dev.berth.traces.format.spot;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.OrderingWindow;
import dev.berth.traces.internal.OrderingWindow.Timed;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;
import java.util.Optional;

/**
 * Workloads of Alibaba's spot GPU trace of 2026, {@code job_info_df.csv}.
 *
 * <p>Each worker of a job is a request. Several workers are a group: they start together, and if
 * one of them is preempted or loses its host, all of them start together again. HP maps to gold and
 * Spot to bronze, the organization is the user, and the model becomes a constraint on the attribute
 * {@code model}. The format skips jobs that ran for no time.
 *
 * <p>The reader sorts jobs within a window of {@value #WINDOW} jobs and refuses a list that is out
 * of order beyond it.
 */
public final class SpotWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String FORMAT = "alibaba-spot-2026";
  static final String GPU_MODEL = "gpu_model";
  static final String MODEL = "model";
  static final String NO_TIME = "job that ran for no time";

  private static final int MOST_WORKERS = 10_000; // a short line must not make too many requests
  private static final int WINDOW = 100_000;
  private static final Dimension GPU = FileDimensions.of("gpu");

  private static final String NAME = "job_name";
  private static final String ORGANIZATION = "organization";
  private static final String CPUS = "cpu_request";
  private static final String GPUS = "gpu_request";
  private static final String WORKERS = "worker_num";
  private static final String SUBMITTED = "submit_time";
  private static final String DURATION = "duration";
  private static final String TYPE = "job_type";
  private static final List<String> COLUMNS =
      List.of(NAME, ORGANIZATION, GPU_MODEL, CPUS, GPUS, WORKERS, SUBMITTED, DURATION, TYPE);

  public SpotWorkloadFormat() {
    super(
        FORMAT,
        "Alibaba's spot GPU trace of 2026: job_info_df",
        firstLine(line -> CsvTable.isHeader(line, COLUMNS)));
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips ->
        Entries.ofMany(
            new OrderingWindow<>(
                WINDOW, Entries.ofRows(table(input, COLUMNS), SpotWorkloadFormat::timed)),
            job -> workers(job, classes, skips));
  }

  private static Timed<CsvTable.Row> timed(CsvTable.Row row) {
    Field submitted = row.field(SUBMITTED);
    return new Timed<>(submitted, submitted.nanos(), row);
  }

  private static List<Arrival> workers(
      Timed<CsvTable.Row> timed, ServiceClassCatalog classes, SkipReport skips) {
    CsvTable.Row row = timed.entry();
    String job = row.field(NAME).required();
    String serviceClass = serviceClass(row.field(TYPE), classes);
    Resources demand = amounts(row, CPUS, GPUS);
    Optional<String> user = known(row, ORGANIZATION).map(Field::required);
    Optional<Constraint> model =
        known(row, GPU_MODEL).map(field -> new Constraint.Equal(MODEL, field.required()));
    int workers = row.field(WORKERS).whole(1, MOST_WORKERS);
    long duration = row.field(DURATION).nanos();
    if (duration == 0) {
      skips.count(NO_TIME);
      return List.of();
    }
    return Groups.ofJob(
        timed.at(),
        job,
        serviceClass,
        workers,
        duration,
        (builder, worker) -> {
          builder.demand(demand);
          user.ifPresent(builder::user);
          model.ifPresent(builder::constraint);
        });
  }

  private static String serviceClass(Field type, ServiceClassCatalog classes) {
    return switch (type.text()) {
      case "HP" -> classes.mapped(type, ServiceClasses.GOLD).name();
      case "Spot" -> classes.mapped(type, ServiceClasses.BRONZE).name();
      default -> throw type.error("must be HP or Spot");
    };
  }

  /** Opens a file, which may have other columns and an index without a name, as of pandas. */
  static CsvTable table(Input input, List<String> columns) {
    return CsvTable.withOtherColumns(input, columns, List.of(""));
  }

  static Resources amounts(CsvTable.Row row, String cpus, String gpus) {
    return Resources.of(
        Dimension.CPU, row.field(cpus).units(Dimension.CPU), GPU, row.field(gpus).units(GPU));
  }

  /** Returns the field of a column; empty if it is empty or NaN. */
  static Optional<Field> known(CsvTable.Row row, String column) {
    return row.optional(column).filter(field -> !field.text().equalsIgnoreCase("nan"));
  }
}
