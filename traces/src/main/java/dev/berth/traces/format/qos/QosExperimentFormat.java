package dev.berth.traces.format.qos;

import static dev.berth.traces.format.qos.QosRequestReader.ADMISSION;
import static dev.berth.traces.format.qos.QosRequestReader.ANTI_AFFINITY;
import static dev.berth.traces.format.qos.QosRequestReader.CPU;
import static dev.berth.traces.format.qos.QosRequestReader.DURATION;
import static dev.berth.traces.format.qos.QosRequestReader.JOB_ID;
import static dev.berth.traces.format.qos.QosRequestReader.PRIORITY;
import static dev.berth.traces.format.qos.QosRequestReader.RAM;
import static dev.berth.traces.format.qos.QosRequestReader.TASK_ID;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.format.google.GoogleTrace;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;

/** Workloads of the Kubernetes experiments of the QoS-driven scheduling paper. */
public final class QosExperimentFormat extends DeclaredFormat implements WorkloadFormat {

  private static final String SLO = "slo";

  private static final Shape FIRST = Shape.of("[-+]?[.0-9][-+.0-9eE]*+\\s*+,[^\\[]*+");

  private static final List<String> FIELDS =
      List.of(
          ADMISSION,
          TASK_ID,
          JOB_ID,
          "user",
          ANTI_AFFINITY,
          PRIORITY,
          DURATION,
          "unused",
          CPU,
          RAM,
          "class",
          SLO);

  public QosExperimentFormat() {
    super(
        "qos-experiment",
        "the Kubernetes experiments of QoS-driven scheduling: 12 columns without a header",
        firstLine(line -> FIRST.matches(line) && !GoogleTrace.isTaskEvent(line)));
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return QosRequestReader.prepare(
        classes,
        requests ->
            Entries.ofRows(CsvTable.withoutHeader(input, FIELDS), row -> arrival(row, requests)));
  }

  private static Arrival arrival(CsvTable.Row row, QosRequestReader requests) {
    checkSlo(row.field(SLO), requests.classes().ofPriority(row.field(PRIORITY)));
    return requests.arrival(row::field, List.of());
  }

  /** Refuses an objective that differs from that of the class, which would silently be ignored. */
  private static void checkSlo(Field field, ServiceClass serviceClass) {
    if (field.number().doubleValue() != serviceClass.slo().share()) {
      throw field.error(
          "must be the objective of class %s, %s"
              .formatted(serviceClass.name(), serviceClass.slo()));
    }
  }
}
