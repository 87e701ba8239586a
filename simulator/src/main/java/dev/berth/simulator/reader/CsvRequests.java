package dev.berth.simulator.reader;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.simulator.Arrival;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads workloads in our own format. */
final class CsvRequests implements WorkloadFormat.RequestReader {

  private static final String ADMITTED = "admitted";
  private static final String ID = "id";
  private static final String CLASS = "class";
  private static final String SERVICE_TIME = "service_time";
  private static final String JOB = "job";
  private static final String ANTI_AFFINITY = "anti_affinity";
  private static final String CONSTRAINTS = "constraints";

  private final CsvTable table;
  private final Classes classes;
  private final Map<String, Dimension> dimensions;
  private final TimeOrder order = new TimeOrder();

  CsvRequests(Lines lines, Classes classes) {
    this.table =
        CsvTable.withOtherColumns(
            lines,
            List.of(ADMITTED, ID, CLASS, SERVICE_TIME, Dimensions.CPU, Dimensions.MEMORY),
            List.of(JOB, ANTI_AFFINITY, CONSTRAINTS));
    this.classes = classes;
    this.dimensions =
        Dimensions.allBut(
            List.of(ADMITTED, ID, CLASS, SERVICE_TIME, JOB, ANTI_AFFINITY, CONSTRAINTS),
            table.header());
  }

  @Override
  public @Nullable Arrival next() {
    CsvTable.Row row = table.next();
    if (row == null) {
      return null;
    }
    long admitted = order.read(row.field(ADMITTED));
    Request.Builder request =
        Request.builder(row.field(ID).required(), classes.named(row.field(CLASS)).name())
            .demand(Dimensions.read(row, dimensions));
    row.optional(JOB).ifPresent(job -> request.job(job.required()));
    row.optional(ANTI_AFFINITY).ifPresent(flag -> request.antiAffinity(antiAffinity(flag, row)));
    row.optional(CONSTRAINTS)
        .ifPresent(field -> Constraints.parse(field).forEach(request::constraint));
    return new Arrival(admitted, request.build(), row.field(SERVICE_TIME).positiveNanos());
  }

  private static boolean antiAffinity(Field flag, CsvTable.Row row) {
    boolean refuses = flag.flag();
    if (refuses && row.optional(JOB).isEmpty()) {
      throw flag.wrong("needs a job, whose instances are kept apart");
    }
    return refuses;
  }
}
