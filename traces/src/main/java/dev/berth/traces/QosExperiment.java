package dev.berth.traces;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import java.util.List;
import java.util.regex.Pattern;

/** Workloads of the Kubernetes experiments of the QoS-driven scheduling paper. */
public final class QosExperiment implements WorkloadFormat {

  private static final String SLO = "slo";

  private static final Pattern FIRST = Pattern.compile("[-+]?[.0-9][-+.0-9eE]*\\s*,[^\\[]*");

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

  /** For the service loader. */
  public QosExperiment() {}

  @Override
  public String name() {
    return "qos-experiment";
  }

  @Override
  public String description() {
    return "of the Kubernetes experiments of QoS-driven scheduling: 12 columns without a header";
  }

  @Override
  public boolean recognises(Input input) {
    return input
        .firstLine()
        .filter(line -> FIRST.matcher(line).matches() && !GoogleTasks.isEvent(line))
        .isPresent();
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return QosRequests.prepare(
        classes,
        requests ->
            new CsvReader<>(CsvTable.withoutHeader(input, FIELDS), row -> arrival(row, requests)));
  }

  private static Arrival arrival(CsvTable.Row row, QosRequests requests) {
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
