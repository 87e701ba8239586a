package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.simulator.Arrival;
import dev.berth.traces.Terms.Group;
import dev.berth.traces.Terms.Scalar;
import dev.berth.traces.Terms.Term;
import java.util.List;
import java.util.regex.Pattern;

/** Workloads of the simulator of the QoS-driven scheduling paper. */
public final class QosSimulation implements WorkloadFormat {

  private static final String CONSTRAINTS = "constraints";

  private static final Pattern JSON = Pattern.compile("\\{\\s*(?:\"[^\"]*\"\\s*:|\\}).*");

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

  /** For the service loader. */
  public QosSimulation() {}

  @Override
  public String name() {
    return "qos-simulation";
  }

  @Override
  public String description() {
    return "of the simulator of QoS-driven scheduling, Erlang terms";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(QosSimulation::isTerm).isPresent();
  }

  /** Returns whether a line begins as an Erlang tuple does, and not a JSON object. */
  static boolean isTerm(String line) {
    return line.startsWith("{") && !JSON.matcher(line).matches();
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return QosRequests.prepare(
        classes,
        requests ->
            new LineReader<>(input.open(), (place, line) -> arrival(place, line, requests)));
  }

  private static Arrival arrival(Place place, String line, QosRequests requests) {
    TermRow row = TermRow.of(place, line, FIELDS);
    List<Constraint> constraints =
        row.list(CONSTRAINTS).stream().map(each -> constraint(place, each)).toList();
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
