package dev.berth.simulator.reader;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.Arrival;
import java.util.List;
import java.util.function.Function;

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

  QosRequests(Classes classes, boolean jobInId) {
    this.classes = classes;
    this.jobInId = jobInId;
  }

  Classes classes() {
    return classes;
  }

  Arrival arrival(Function<String, Field> fields, List<Constraint> constraints) {
    long admitted = order.read(fields.apply(ADMISSION));
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
    return new Arrival(admitted, request.build(), fields.apply(DURATION).positiveNanos());
  }

  static Resources cpuAndMemory(Field cpu, Field memory) {
    return Resources.of(
        Dimension.CPU, cpu.units(Dimension.CPU), Dimension.MEMORY, memory.units(Dimension.MEMORY));
  }
}
