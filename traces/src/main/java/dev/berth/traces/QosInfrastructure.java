package dev.berth.traces;

import dev.berth.api.HostSpec;
import dev.berth.traces.Terms.Group;
import dev.berth.traces.Terms.Scalar;
import dev.berth.traces.Terms.Term;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Infrastructures of the QoS-driven scheduling paper. */
public final class QosInfrastructure implements InfrastructureFormat {

  private static final List<String> FIELDS =
      List.of("host id", "name", QosRequests.CPU, QosRequests.RAM, "attributes");

  /** For the service loader. */
  public QosInfrastructure() {}

  @Override
  public String name() {
    return "qos-infrastructure";
  }

  @Override
  public String description() {
    return "of QoS-driven scheduling, Erlang terms";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(QosSimulation::isTerm).isPresent();
  }

  @Override
  public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
    return new LineReader<>(input.open(), QosInfrastructure::host);
  }

  private static HostSpec host(Place place, String line) {
    TermRow row = TermRow.of(place, line, FIELDS);
    return new HostSpec(
        row.field("host id").required(),
        QosRequests.cpuAndMemory(row.field(QosRequests.CPU), row.field(QosRequests.RAM)),
        attributes(place, row.list("attributes")));
  }

  private static Map<String, String> attributes(Place place, List<Term> terms) {
    Map<String, String> attributes = new TreeMap<>();
    for (Term term : terms) {
      Field field = new Field(place, "attributes", term.describe());
      if (term instanceof Group group
          && group.members().size() == 2
          && group.members().get(0) instanceof Scalar name
          && group.members().get(1) instanceof Scalar value) {
        Attributes.add(attributes, field, name.text(), value.text());
      } else {
        throw field.wrong("must be an attribute like {\"name\",\"value\"}");
      }
    }
    return attributes;
  }
}
