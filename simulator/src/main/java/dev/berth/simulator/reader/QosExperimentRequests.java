package dev.berth.simulator.reader;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads workloads of the Kubernetes experiments of the QoS-driven scheduling paper. */
final class QosExperimentRequests implements WorkloadFormat.RequestReader {

  private static final String SLO = "slo";

  private static final List<String> FIELDS =
      List.of(
          QosRequests.ADMISSION,
          QosRequests.TASK_ID,
          QosRequests.JOB_ID,
          "user",
          QosRequests.ANTI_AFFINITY,
          QosRequests.PRIORITY,
          QosRequests.DURATION,
          "unused",
          QosRequests.CPU,
          QosRequests.RAM,
          "class",
          SLO);

  private final CsvTable table;
  private final QosRequests requests;

  QosExperimentRequests(Lines lines, QosRequests requests) {
    this.table = CsvTable.withoutHeader(lines, FIELDS);
    this.requests = requests;
  }

  @Override
  public @Nullable Arrival next() {
    CsvTable.Row row = table.next();
    if (row == null) {
      return null;
    }
    checkSlo(row.field(SLO), requests.classes().ofPriority(row.field(QosRequests.PRIORITY)));
    return requests.arrival(row::field, List.of());
  }

  /** The objective is that of the class; a file that says otherwise would be misread. */
  private static void checkSlo(Field field, ServiceClass serviceClass) {
    if (field.number().doubleValue() != serviceClass.slo().share()) {
      throw field.wrong(
          "must be the objective of class %s, %s"
              .formatted(serviceClass.name(), serviceClass.slo()));
    }
  }
}
