package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ServiceClasses;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of Alibaba's GPU cluster trace of 2023, {@code openb_pod_list_*.csv}.
 *
 * <p>A pod is admitted when it was created, and its work is the time from its being scheduled to
 * its deletion; those that were never scheduled are left out. Quality of service LS and Guaranteed
 * are gold, Burstable is silver, BE bronze. The demand of GPUs is their number times the share of
 * each, so a host counts its GPUs as one amount; allowed models are a constraint on the attribute
 * {@code model}.
 */
public final class OpenbPods implements WorkloadFormat {

  static final String NEVER_SCHEDULED = "pod that was never scheduled";
  static final String NO_TIME = "pod that was deleted as soon as scheduled";

  static final String START = "name,cpu_milli,memory_mib,num_gpu,";
  static final Dimension GPU = Dimensions.of("gpu");
  static final String MODEL = "model";

  private static final int WHOLE_GPU = 1_000;
  private static final long UNITS_PER_MILLI = GPU.unitsPerWhole() / WHOLE_GPU;
  private static final Pattern OR = Pattern.compile("\\|");
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
          OpenbNodes.CPU,
          OpenbNodes.MEMORY,
          GPUS,
          GPU_SHARE,
          GPU_MODELS,
          QOS,
          CREATION,
          DELETION,
          SCHEDULED);

  /** For the service loader. */
  public OpenbPods() {}

  @Override
  public String name() {
    return OpenbNodes.FORMAT;
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
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return leftOut -> new Reader(input, classes, leftOut);
  }

  private static final class Reader implements EntryReader<Arrival> {

    private final CsvTable table;
    private final Classes classes;
    private final LeftOut leftOut;
    private final TimeOrder order = new TimeOrder();

    Reader(Input input, Classes classes, LeftOut leftOut) {
      this.table = CsvTable.with(input, COLUMNS, List.of("pod_phase"));
      this.classes = classes;
      this.leftOut = leftOut;
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
                      .put(Dimension.CPU, OpenbNodes.cores(row.field(OpenbNodes.CPU)))
                      .put(Dimension.MEMORY, OpenbNodes.memory(row.field(OpenbNodes.MEMORY)))
                      .put(GPU, gpus(row))
                      .build());
      row.optional(GPU_MODELS)
          .ifPresent(
              models ->
                  builder.constraint(
                      new Constraint.In(
                          MODEL,
                          models.parts(OR).stream().map(Field::text).collect(Collectors.toSet()))));
      Request request = builder.build();
      Optional<Field> scheduled = row.optional(SCHEDULED);
      long start = scheduled.map(Field::nanos).orElse(0L);
      Field deletion = row.field(DELETION);
      long end = deletion.nanos();
      if (scheduled.isPresent() && end < start) {
        throw deletion.wrong("must not be before scheduled_time, " + scheduled.get().text());
      }
      order.read(creation, created);
      if (scheduled.isEmpty() || end == start) {
        leftOut.count(scheduled.isEmpty() ? NEVER_SCHEDULED : NO_TIME);
        return Optional.empty();
      }
      return Optional.of(
          new Arrival(created, request, end - start, ActualBehaviour.asSaid(request)));
    }

    private String serviceClass(Field qos) {
      return switch (qos.text()) {
        case "LS", "Guaranteed" -> classes.standingFor(qos, ServiceClasses.GOLD).name();
        case "Burstable" -> classes.standingFor(qos, ServiceClasses.SILVER).name();
        case "BE" -> classes.standingFor(qos, ServiceClasses.BRONZE).name();
        default -> throw qos.wrong("must be LS, Guaranteed, Burstable or BE");
      };
    }

    /** Returns the number times the share of each, in units of {@link #GPU}. */
    private static long gpus(CsvTable.Row row) {
      return row.field(GPUS).wholeLong(0, MOST_GPUS)
          * row.field(GPU_SHARE).wholeLong(0, WHOLE_GPU)
          * UNITS_PER_MILLI;
    }

    @Override
    public Place place() {
      return table.place();
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
