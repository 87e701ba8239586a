package dev.berth.traces.format.openb;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ServiceClasses;
import dev.berth.traces.CsvTable;
import dev.berth.traces.EntryReader;
import dev.berth.traces.Field;
import dev.berth.traces.Input;
import dev.berth.traces.ReaderSupplier;
import dev.berth.traces.ServiceClassCatalog;
import dev.berth.traces.SkipReport;
import dev.berth.traces.SourceLocation;
import dev.berth.traces.TimeOrder;
import dev.berth.traces.WorkloadFormat;
import dev.berth.traces.internal.FileDimensions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of Alibaba's GPU cluster trace of 2023, {@code openb_pod_list_*.csv}.
 *
 * <p>A pod is admitted at its creation. Its service time is the time from scheduling to deletion.
 * The format skips pods that were never scheduled. Quality of service LS and Guaranteed map to
 * gold, Burstable to silver and BE to bronze. The GPU demand is the number of GPUs times the share
 * of each, so a host counts its GPUs as one amount. Allowed models become a constraint on the
 * attribute {@code model}.
 */
final class OpenbWorkloadFormat implements WorkloadFormat {

  static final String NEVER_SCHEDULED = "pod that was never scheduled";
  static final String NO_TIME = "pod that was deleted as soon as it was scheduled";

  static final String START = "name,cpu_milli,memory_mib,num_gpu,";
  static final Dimension GPU = FileDimensions.of("gpu");
  static final String MODEL = "model";

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
      List.of(
          NAME,
          OpenbInfrastructureFormat.CPU,
          OpenbInfrastructureFormat.MEMORY,
          GPUS,
          GPU_SHARE,
          GPU_MODELS,
          QOS,
          CREATION,
          DELETION,
          SCHEDULED);

  @Override
  public String name() {
    return OpenbInfrastructureFormat.FORMAT;
  }

  @Override
  public String description() {
    return "Alibaba's GPU cluster trace of 2023: openb_pod_list";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> line.startsWith(START)).isPresent();
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips -> new Reader(input, classes, skips);
  }

  private static final class Reader implements EntryReader<Arrival> {

    private final CsvTable table;
    private final ServiceClassCatalog classes;
    private final SkipReport skips;
    private final TimeOrder order = new TimeOrder();

    Reader(Input input, ServiceClassCatalog classes, SkipReport skips) {
      this.table = CsvTable.with(input, COLUMNS, List.of("pod_phase"));
      this.classes = classes;
      this.skips = skips;
    }

    @Override
    public @Nullable Arrival next() {
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        Optional<Arrival> arrival = arrival(row);
        if (arrival.isPresent()) {
          return arrival.get();
        }
      }
      return null;
    }

    private Optional<Arrival> arrival(CsvTable.Row row) {
      Field creation = row.field(CREATION);
      long created = creation.nanos();
      Request.Builder builder =
          Request.builder(row.field(NAME).required(), serviceClass(row.field(QOS)))
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
      Request request = builder.build();
      Optional<Field> scheduled = row.optional(SCHEDULED);
      long start = scheduled.map(Field::nanos).orElse(0L);
      Field deletion = row.field(DELETION);
      long end = deletion.nanos();
      if (scheduled.isPresent() && end < start) {
        throw deletion.error("must not be before scheduled_time, " + scheduled.get().text());
      }
      order.check(creation, created);
      if (scheduled.isEmpty() || end == start) {
        skips.count(scheduled.isEmpty() ? NEVER_SCHEDULED : NO_TIME);
        return Optional.empty();
      }
      return Optional.of(
          new Arrival(created, request, end - start, ActualBehaviour.asSaid(request)));
    }

    private String serviceClass(Field qos) {
      return switch (qos.text()) {
        case "LS", "Guaranteed" -> classes.mapped(qos, ServiceClasses.GOLD).name();
        case "Burstable" -> classes.mapped(qos, ServiceClasses.SILVER).name();
        case "BE" -> classes.mapped(qos, ServiceClasses.BRONZE).name();
        default -> throw qos.error("must be LS, Guaranteed, Burstable or BE");
      };
    }

    /** Returns the number of GPUs times the share of each, in units of {@link #GPU}. */
    private static long gpus(CsvTable.Row row) {
      return row.field(GPUS).wholeLong(0, MOST_GPUS)
          * row.field(GPU_SHARE).wholeLong(0, WHOLE_GPU)
          * UNITS_PER_MILLI;
    }

    @Override
    public SourceLocation location() {
      return table.location();
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
