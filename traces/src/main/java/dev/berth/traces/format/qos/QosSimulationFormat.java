package dev.berth.traces.format.qos;

import static dev.berth.traces.format.qos.QosRequestReader.ADMISSION;
import static dev.berth.traces.format.qos.QosRequestReader.ANTI_AFFINITY;
import static dev.berth.traces.format.qos.QosRequestReader.CPU;
import static dev.berth.traces.format.qos.QosRequestReader.DURATION;
import static dev.berth.traces.format.qos.QosRequestReader.JOB_ID;
import static dev.berth.traces.format.qos.QosRequestReader.PRIORITY;
import static dev.berth.traces.format.qos.QosRequestReader.RAM;
import static dev.berth.traces.format.qos.QosRequestReader.TASK_ID;

import dev.berth.api.Constraint;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.format.qos.ErlangParser.Group;
import dev.berth.traces.format.qos.ErlangParser.Scalar;
import dev.berth.traces.format.qos.ErlangParser.Term;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.ConstraintExpressions;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;

/** Workloads of the simulator of the QoS-driven scheduling paper. */
public final class QosSimulationFormat extends DeclaredFormat implements WorkloadFormat {

  private static final String CONSTRAINTS = "constraints";

  private static final Shape JSON = Shape.of("\\{\\s*+(?:\"[^\"]*+\"\\s*+:|\\}|$)");

  private static final List<String> FIELDS =
      List.of(ADMISSION, TASK_ID, JOB_ID, DURATION, CPU, RAM, PRIORITY, ANTI_AFFINITY, CONSTRAINTS);

  public QosSimulationFormat() {
    super(
        "qos-simulation",
        "the simulator of QoS-driven scheduling, Erlang terms",
        firstLine(QosSimulationFormat::isTerm));
  }

  /** Returns whether a line begins like an Erlang tuple and not like a JSON object. */
  static boolean isTerm(String line) {
    return line.startsWith("{") && !JSON.begins(line);
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return QosRequestReader.prepare(
        classes,
        requests ->
            Entries.ofLines(input.open(), (location, line) -> arrival(location, line, requests)));
  }

  private static Arrival arrival(SourceLocation location, String line, QosRequestReader requests) {
    ErlangRow row = ErlangRow.of(location, line, FIELDS);
    List<Constraint> constraints =
        row.list(CONSTRAINTS).stream().map(each -> constraint(location, each)).toList();
    return requests.arrival(row::field, constraints);
  }

  /**
   * Returns the constraint in {@code {"attribute","==","value"}}. The notation is an assumption,
   * because all published lists are empty.
   */
  private static Constraint constraint(SourceLocation location, Term term) {
    Field field = new Field(location, CONSTRAINTS, term.describe());
    if (term instanceof Group group
        && group.members().size() == 3
        && group.members().get(0) instanceof Scalar attribute
        && group.members().get(1) instanceof Scalar operator
        && group.members().get(2) instanceof Scalar value) {
      return ConstraintExpressions.comparison(
          field, attribute.text(), operator.text(), value.text());
    }
    throw field.error("must be a constraint like {\"attribute\",\"==\",\"value\"}");
  }
}
