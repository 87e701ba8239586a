package dev.berth.traces.format.openb;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.OrderingWindow;
import dev.berth.traces.internal.Snapshots;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Workloads of Alibaba's GPU cluster trace of 2023, {@code openb_pod_list_*.csv}.
 *
 * <p>A pod is admitted at its creation. Its service time is the time from scheduling to deletion.
 * The format skips pods that were never scheduled. Quality of service LS and Guaranteed map to
 * gold, Burstable to silver and BE to bronze. The GPU demand is the number of GPUs times the share
 * of each, so a host counts its GPUs as one amount. Allowed models become a constraint on the
 * attribute {@code model}. In a file without the columns of GPUs, pods demand none.
 *
 * <p>Some variants of the list have neither times nor quality of service. Their pods are all
 * admitted at 0, run for {@link Snapshots#SERVICE_TIME}, and have the least important class.
 *
 * <p>Some lists are shuffled. The reader sorts pods within a window of {@value #WINDOW} pods and
 * refuses a list that is out of order beyond it.
 */
public final class OpenbWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String NEVER_SCHEDULED = "pod that was never scheduled";
  static final String NO_TIME = "pod that was deleted as soon as it was scheduled";

  static final Dimension GPU = FileDimensions.of("gpu");
  static final String MODEL = "model";

  private static final String START = "name,cpu_milli,memory_mib,";

  /** More pods than the published lists have, of which some are shuffled as a whole. */
  private static final int WINDOW = 100_000;

  private static final int WHOLE_GPU = 1_000;
  private static final long UNITS_PER_MILLI = GPU.unitsPerWhole() / WHOLE_GPU;
  private static final int MOST_GPUS = 1_000;

  private static final String NAME = "name";
  private static final String QOS = "qos";
  private static final String CREATION = "creation_time";
  private static final String DELETION = "deletion_time";
  private static final String SCHEDULED = "scheduled_time";
  private static final String GPUS = "num_gpu";
  private static final String GPU_SHARE = "gpu_milli";
  private static final String GPU_MODELS = "gpu_spec";

  private static final List<String> COLUMNS =
      List.of(NAME, OpenbInfrastructureFormat.CPU, OpenbInfrastructureFormat.MEMORY);

  private static final List<String> TIMES = List.of(CREATION, DELETION, SCHEDULED);

  private static final List<String> OPTIONAL_COLUMNS =
      List.of(GPUS, GPU_SHARE, GPU_MODELS, QOS, CREATION, DELETION, SCHEDULED, "pod_phase");

  public OpenbWorkloadFormat() {
    super(
        OpenbInfrastructureFormat.FORMAT,
        "Alibaba's GPU cluster trace of 2023: openb_pod_list",
        firstLine(line -> line.startsWith(START)));
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips -> {
      CsvTable table = CsvTable.with(input, COLUMNS, OPTIONAL_COLUMNS);
      Pods pods = new Pods(table, classes, skips);
      return Entries.ofSome(
          new OrderingWindow<>(WINDOW, Entries.ofSome(table, pods::pod)),
          pod -> Optional.of(pod.entry()));
    };
  }

  private static final class Pods {

    private final ServiceClassCatalog classes;
    private final SkipReport skips;
    private final boolean hasTimes;

    Pods(CsvTable table, ServiceClassCatalog classes, SkipReport skips) {
      this.hasTimes = table.header().containsAll(TIMES);
      if (!hasTimes && TIMES.stream().anyMatch(table.header()::contains)) {
        table.close();
        throw table
            .location()
            .error("must name all or none of the columns " + String.join(", ", TIMES))
            .endingReading();
      }
      this.classes = classes;
      this.skips = skips;
    }

    Optional<OrderingWindow.Timed<Arrival>> pod(CsvTable.Row row) {
      return hasTimes ? timedPod(row) : Optional.of(timelessPod(row));
    }

    private OrderingWindow.Timed<Arrival> timelessPod(CsvTable.Row row) {
      return new OrderingWindow.Timed<>(
          row.field(NAME), 0, new Arrival(0, request(row), Snapshots.SERVICE_TIME));
    }

    private Request request(CsvTable.Row row) {
      Request.Builder builder =
          Request.builder(row.field(NAME).required(), serviceClass(row))
              .demand(
                  Resources.builder()
                      .put(
                          Dimension.CPU,
                          OpenbInfrastructureFormat.cores(row.field(OpenbInfrastructureFormat.CPU)))
                      .put(
                          Dimension.MEMORY,
                          OpenbInfrastructureFormat.memory(
                              row.field(OpenbInfrastructureFormat.MEMORY)))
                      .put(GPU, gpus(row))
                      .build());
      row.optional(GPU_MODELS)
          .ifPresent(
              models ->
                  builder.constraint(
                      new Constraint.In(
                          MODEL,
                          models.parts('|').stream()
                              .map(Field::text)
                              .collect(Collectors.toSet()))));
      return builder.build();
    }

    private Optional<OrderingWindow.Timed<Arrival>> timedPod(CsvTable.Row row) {
      Field creation = row.field(CREATION);
      long created = creation.nanos();
      Request request = request(row);
      Optional<Field> scheduled = row.optional(SCHEDULED);
      long start = scheduled.map(Field::nanos).orElse(0L);
      Field deletion = row.field(DELETION);
      long end = deletion.nanos();
      if (scheduled.isPresent() && end < start) {
        throw deletion.error("must not be before scheduled_time, " + scheduled.get().text());
      }
      if (scheduled.isEmpty() || end == start) {
        return skips.skip(scheduled.isEmpty() ? NEVER_SCHEDULED : NO_TIME);
      }
      return Optional.of(
          new OrderingWindow.Timed<>(
              creation, created, new Arrival(created, request, end - start)));
    }

    private String serviceClass(CsvTable.Row row) {
      if (!row.columns().containsKey(QOS)) {
        return classes.leastImportant().name();
      }
      Field qos = row.field(QOS);
      return switch (qos.text()) {
        case "LS", "Guaranteed" -> classes.mapped(qos, ServiceClasses.GOLD).name();
        case "Burstable" -> classes.mapped(qos, ServiceClasses.SILVER).name();
        case "BE" -> classes.mapped(qos, ServiceClasses.BRONZE).name();
        default -> throw qos.error("must be LS, Guaranteed, Burstable or BE");
      };
    }

    /**
     * Returns the number of GPUs times the share of each, in units of {@link #GPU}. Without the
     * column of the number there are none; without that of the share, they are whole.
     */
    private static long gpus(CsvTable.Row row) {
      boolean hasShare = row.columns().containsKey(GPU_SHARE);
      if (!row.columns().containsKey(GPUS)) {
        if (hasShare) {
          throw row.field(GPU_SHARE).error("requires the column " + GPUS);
        }
        return 0;
      }
      long share = hasShare ? row.field(GPU_SHARE).wholeLong(0, WHOLE_GPU) : WHOLE_GPU;
      return row.field(GPUS).wholeLong(0, MOST_GPUS) * share * UNITS_PER_MILLI;
    }
  }
}
