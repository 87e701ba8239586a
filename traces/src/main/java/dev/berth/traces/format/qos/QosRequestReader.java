package dev.berth.traces.format.qos;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.internal.util.DuplicateIds;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import java.util.List;
import java.util.function.Function;

/** Creates requests from the fields that both workload formats of the QoS-driven paper share. */
final class QosRequestReader {

  static final String ADMISSION = "admission";
  static final String TASK_ID = "task id";
  static final String JOB_ID = "job id";
  static final String DURATION = "duration";
  static final String CPU = "cpu";
  static final String RAM = "ram";
  static final String PRIORITY = "priority";
  static final String ANTI_AFFINITY = "anti-affinity";

  private final ServiceClassCatalog classes;
  private final boolean jobInId;
  private final TimeOrder order = new TimeOrder();

  private QosRequestReader(ServiceClassCatalog classes, boolean jobInId) {
    this.classes = classes;
    this.jobInId = jobInId;
  }

  /**
   * Determines whether task ids are unique on their own or only together with the job.
   *
   * @param reading opens a reader for the first pass and for each actual reading
   */
  static ReaderSupplier<Arrival> prepare(
      ServiceClassCatalog classes, Function<QosRequestReader, EntryReader<Arrival>> reading) {
    DuplicateIds ids = new DuplicateIds();
    Entries.survey(
        reading.apply(new QosRequestReader(classes, false)), each -> ids.add(each.request().id()));
    boolean jobInId = !ids.candidates().isEmpty();
    return skips -> reading.apply(new QosRequestReader(classes, jobInId));
  }

  ServiceClassCatalog classes() {
    return classes;
  }

  Arrival arrival(Function<String, Field> fields, List<Constraint> constraints) {
    Field admission = fields.apply(ADMISSION);
    long admitted = admission.nanos();
    String job = fields.apply(JOB_ID).required();
    String task = fields.apply(TASK_ID).required();
    Request.Builder request =
        Request.builder(
                jobInId ? job + "/" + task : task,
                classes.ofPriority(fields.apply(PRIORITY)).name())
            .demand(FileDimensions.cpuAndMemory(fields.apply(CPU), fields.apply(RAM)))
            .job(job)
            .antiAffinity(fields.apply(ANTI_AFFINITY).flag());
    constraints.forEach(request::constraint);
    Arrival arrival =
        new Arrival(admitted, request.build(), fields.apply(DURATION).positiveNanos());
    order.check(admission, admitted); // last, because a skipped line has no time
    return arrival;
  }
}
