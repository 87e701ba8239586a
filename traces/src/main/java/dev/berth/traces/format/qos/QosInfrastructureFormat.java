package dev.berth.traces.format.qos;

import static dev.berth.traces.format.qos.QosRequestReader.CPU;
import static dev.berth.traces.format.qos.QosRequestReader.RAM;

import dev.berth.api.HostSpec;
import dev.berth.traces.format.qos.ErlangParser.Group;
import dev.berth.traces.format.qos.ErlangParser.Scalar;
import dev.berth.traces.format.qos.ErlangParser.Term;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Infrastructures of the QoS-driven scheduling paper. */
public final class QosInfrastructureFormat extends DeclaredFormat implements InfrastructureFormat {

  private static final List<String> FIELDS = List.of("host id", "name", CPU, RAM, "attributes");

  public QosInfrastructureFormat() {
    super(
        "qos-infrastructure",
        "QoS-driven scheduling, Erlang terms",
        firstLine(QosSimulationFormat::isTerm));
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    return Entries.ofLines(input.open(), QosInfrastructureFormat::host);
  }

  private static HostSpec host(SourceLocation location, String line) {
    ErlangRow row = ErlangRow.of(location, line, FIELDS);
    return new HostSpec(
        row.field("host id").required(),
        FileDimensions.cpuAndMemory(row.field(CPU), row.field(RAM)),
        attributes(location, row.list("attributes")));
  }

  private static Map<String, String> attributes(SourceLocation location, List<Term> terms) {
    Map<String, String> attributes = new TreeMap<>();
    for (Term term : terms) {
      Field field = new Field(location, "attributes", term.describe());
      if (term instanceof Group group
          && group.members().size() == 2
          && group.members().get(0) instanceof Scalar name
          && group.members().get(1) instanceof Scalar value) {
        HostAttributes.add(attributes, field, name.text(), value.text());
      } else {
        throw field.error("must be an attribute like {\"name\",\"value\"}");
      }
    }
    return attributes;
  }
}
