package dev.berth.traces.format.sacct;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.CalendarTimes;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.OrderingWindow;
import dev.berth.traces.internal.OrderingWindow.Timed;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Workloads of Slurm's accounting, as {@code sacct -P} prints it.
 *
 * <p>A job that ran and ended is a request on each of its nodes. Several are a group: they start
 * together, and if one of them is preempted or loses its host, all of them start together again.
 * Cores, memory and GPUs are those allocated, or else requested. Each node has an equal part, and
 * the first ones have what does not divide. Time begins with the first job.
 *
 * <p>The class is the one that the name of the QOS, partition, account or user is, in this order.
 * Without one, it follows from words in the name of the QOS.
 *
 * <p>The reader sorts jobs within a window of {@value #WINDOW} jobs and refuses a file that is out
 * of order beyond it.
 */
public final class SacctWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String STEP = "step of a job";
  static final String NO_SUBMIT_TIME = "job without a submit time";
  static final String NOT_ENDED = "job that had not ended";
  static final String DID_NOT_RUN = "job that never ran, or for no time";
  static final String NO_CORES = "job without cores";

  private static final int WINDOW = 100_000;
  private static final Dimension GPU = FileDimensions.of("gpu");
  private static final Shape LOW = Shape.of("low|scavenge|preempt|spot|idle");
  private static final Shape HIGH = Shape.of("high|urgent|prio");

  public SacctWorkloadFormat() {
    super(
        "sacct",
        "Slurm's accounting, sacct -P: jobs that ran and ended",
        firstLine(SacctRow::isHeader));
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips -> {
      Jobs jobs = new Jobs(classes, skips);
      CsvTable table = SacctRow.open(input);
      return Entries.ofMany(
          new OrderingWindow<>(
              WINDOW,
              Entries.ofSome(table, row -> jobs.timed(new SacctRow(row))),
              Optional.of(SacctRow.sorting(table))),
          jobs::arrivals);
    };
  }

  private record Job(SacctRow row, Field id, long runTime, long cores) {}

  private static final class Jobs {

    private final ServiceClassCatalog classes;
    private final SkipReport skips;
    private OptionalLong begin = OptionalLong.empty();

    Jobs(ServiceClassCatalog classes, SkipReport skips) {
      this.classes = classes;
      this.skips = skips;
    }

    Optional<Timed<Job>> timed(SacctRow row) {
      Field id = row.id();
      if (id.text().indexOf('.') >= 0) {
        return skips.skip(STEP);
      }
      SacctRow.Progress progress = row.progress();
      if (progress == SacctRow.Progress.RUNS) {
        return skips.skip(NOT_ENDED);
      }
      long runTime = progress == SacctRow.Progress.WAITED ? 0 : row.runTime();
      if (runTime == 0) {
        return skips.skip(DID_NOT_RUN);
      }
      long cores = row.cores();
      Optional<Field> admission = row.admission();
      if (cores == 0 || admission.isEmpty()) {
        return skips.skip(cores == 0 ? NO_CORES : NO_SUBMIT_TIME);
      }
      return admission.map(
          each ->
              new Timed<>(each, CalendarTimes.withoutZone(each), new Job(row, id, runTime, cores)));
    }

    List<Arrival> arrivals(Timed<Job> timed) {
      Job job = timed.entry();
      SacctRow row = job.row;
      String id = job.id.required();
      long memory = row.memory();
      long gpus = row.gpus();
      int nodes = row.nodes();
      String serviceClass = serviceClass(row);
      if (begin.isEmpty()) {
        begin = OptionalLong.of(timed.at());
      }
      return Groups.ofJob(
          timed.at() - begin.getAsLong(),
          id,
          serviceClass,
          nodes,
          job.runTime,
          (builder, node) -> {
            builder.demand(
                Resources.builder()
                    .put(
                        Dimension.CPU, part(job.cores, nodes, node) * Dimension.CPU.unitsPerWhole())
                    .put(Dimension.MEMORY, part(memory, nodes, node))
                    .put(GPU, part(gpus, nodes, node) * GPU.unitsPerWhole())
                    .build());
            describe(row, builder);
          });
    }

    /** Returns the amount of one node. */
    private static long part(long amount, int nodes, int node) {
      return amount / nodes + (node < amount % nodes ? 1 : 0);
    }

    private static void describe(SacctRow row, Request.Builder builder) {
      row.name(SacctRow.USER).ifPresent(builder::user);
      row.name(SacctRow.JOB_NAME).ifPresent(builder::application);
      for (String each : List.of(SacctRow.ACCOUNT, SacctRow.PARTITION, SacctRow.QOS)) {
        row.name(each).ifPresent(name -> builder.label(each.toLowerCase(Locale.ROOT), name));
      }
      long limit = row.timeLimit();
      if (limit > 0) {
        builder.estimatedRunTime(Duration.ofNanos(limit));
      }
    }

    private String serviceClass(SacctRow row) {
      return Stream.of(SacctRow.QOS, SacctRow.PARTITION, SacctRow.ACCOUNT, SacctRow.USER)
          .flatMap(each -> row.name(each).stream())
          .filter(classes::contains)
          .findFirst()
          .orElseGet(() -> byWords(row));
    }

    private String byWords(SacctRow row) {
      Field qos = row.qos();
      String words = qos.text().toLowerCase(Locale.ROOT);
      String name =
          LOW.find(words).findAny().isPresent() // first, because of low-priority
              ? ServiceClasses.BRONZE
              : HIGH.find(words).findAny().isPresent()
                  ? ServiceClasses.GOLD
                  : ServiceClasses.SILVER;
      return classes.mapped(qos, name).name();
    }
  }
}
