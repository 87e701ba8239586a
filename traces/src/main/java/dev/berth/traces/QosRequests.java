package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.Arrival;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes requests of the fields that both workload formats of the QoS-driven paper have. */
final class QosRequests {

  static final String ADMISSION = "admission";
  static final String TASK_ID = "task id";
  static final String JOB_ID = "job id";
  static final String DURATION = "duration";
  static final String CPU = "cpu";
  static final String RAM = "ram";
  static final String PRIORITY = "priority";
  static final String ANTI_AFFINITY = "anti-affinity";

  private final Classes classes;
  private final boolean jobInId;
  private final TimeOrder order = new TimeOrder();

  private QosRequests(Classes classes, boolean jobInId) {
    this.classes = classes;
    this.jobInId = jobInId;
  }

  /**
   * Finds out whether ids of tasks are unique, or only together with their jobs.
   *
   * @param reading starts to read
   */
  static Opener<Arrival> prepare(
      Classes classes, Function<QosRequests, EntryReader<Arrival>> reading) {
    RepeatedIds ids = new RepeatedIds();
    try (EntryReader<Arrival> reader = reading.apply(new QosRequests(classes, false))) {
      for (Arrival each = good(reader); each != null; each = good(reader)) {
        ids.add(each.request().id());
      }
    }
    boolean jobInId = !ids.suspects().isEmpty();
    return leftOut -> reading.apply(new QosRequests(classes, jobInId));
  }

  /** Returns the next one that can be used; null at the end. */
  private static @Nullable Arrival good(EntryReader<Arrival> reader) {
    while (true) {
      try {
        return reader.next();
      } catch (InputException bad) {
        if (bad.endsReading()) {
          throw bad;
        }
        // It is met again.
      }
    }
  }

  Classes classes() {
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
            .demand(cpuAndMemory(fields.apply(CPU), fields.apply(RAM)))
            .job(job)
            .antiAffinity(fields.apply(ANTI_AFFINITY).flag());
    constraints.forEach(request::constraint);
    Arrival arrival =
        new Arrival(admitted, request.build(), fields.apply(DURATION).positiveNanos());
    order.read(admission, admitted); // last: a line that is left out has no time
    return arrival;
  }

  static Resources cpuAndMemory(Field cpu, Field memory) {
    return Resources.of(
        Dimension.CPU, cpu.units(Dimension.CPU), Dimension.MEMORY, memory.units(Dimension.MEMORY));
  }
}
