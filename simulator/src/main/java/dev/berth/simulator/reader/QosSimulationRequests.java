package dev.berth.simulator.reader;

import dev.berth.api.Constraint;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.reader.Terms.Group;
import dev.berth.simulator.reader.Terms.Scalar;
import dev.berth.simulator.reader.Terms.Term;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads workloads of the simulator of the QoS-driven scheduling paper. */
final class QosSimulationRequests implements WorkloadFormat.RequestReader {

  private static final String CONSTRAINTS = "constraints";

  private static final List<String> FIELDS =
      List.of(
          QosRequests.ADMISSION,
          QosRequests.TASK_ID,
          QosRequests.JOB_ID,
          QosRequests.DURATION,
          QosRequests.CPU,
          QosRequests.RAM,
          QosRequests.PRIORITY,
          QosRequests.ANTI_AFFINITY,
          CONSTRAINTS);

  private final Lines lines;
  private final QosRequests requests;

  QosSimulationRequests(Lines lines, QosRequests requests) {
    this.lines = lines;
    this.requests = requests;
  }

  @Override
  public @Nullable Arrival next() {
    String line = lines.next();
    if (line == null) {
      return null;
    }
    TermRow row = TermRow.of(lines.place(), line, FIELDS);
    List<Constraint> constraints =
        row.list(CONSTRAINTS).stream().map(each -> constraint(row.place(), each)).toList();
    return requests.arrival(row::field, constraints);
  }

  /** Reads {@code {"attribute","==","value"}}: our reading, for the published lists are empty. */
  private static Constraint constraint(Place place, Term term) {
    Field field = new Field(place, CONSTRAINTS, term.describe());
    if (term instanceof Group group
        && group.members().size() == 3
        && group.members().get(0) instanceof Scalar attribute
        && group.members().get(1) instanceof Scalar operator
        && group.members().get(2) instanceof Scalar value) {
      return Constraints.comparison(field, attribute.text(), operator.text(), value.text());
    }
    throw field.wrong("must be a constraint like {\"attribute\",\"==\",\"value\"}");
  }
}
