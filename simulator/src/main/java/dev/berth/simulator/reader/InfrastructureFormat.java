package dev.berth.simulator.reader;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.simulator.reader.Terms.Group;
import dev.berth.simulator.reader.Terms.Scalar;
import dev.berth.simulator.reader.Terms.Term;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The formats of infrastructure files; {@link Readers} describes them. */
enum InfrastructureFormat implements Format {
  /** Ours. */
  CSV("csv") {
    @Override
    HostReader reader(Lines lines) {
      return new CsvReader(lines);
    }
  },

  /** Of the simulator of the QoS-driven scheduling paper. */
  QOS_INFRASTRUCTURE("qos-infrastructure") {
    @Override
    HostReader reader(Lines lines) {
      return new QosReader(lines);
    }
  };

  /** Reads the hosts of a file one by one. */
  interface HostReader {
    /** Returns the next one; null at the end. */
    @Nullable HostSpec next();
  }

  private final String id;

  InfrastructureFormat(String id) {
    this.id = id;
  }

  /** Starts reading a file from its beginning. */
  abstract HostReader reader(Lines lines);

  @Override
  public String id() {
    return id;
  }

  /** Returns the format of a file by the first line that says something. */
  static InfrastructureFormat of(String firstLine) {
    return firstLine.startsWith("{") ? QOS_INFRASTRUCTURE : CSV;
  }

  private static final class CsvReader implements HostReader {

    private static final String ID = "id";
    private static final String ATTRIBUTES = "attributes";

    private final CsvTable table;
    private final Map<String, Dimension> dimensions;

    CsvReader(Lines lines) {
      this.table =
          CsvTable.withOtherColumns(
              lines, List.of(ID, Dimensions.CPU, Dimensions.MEMORY), List.of(ATTRIBUTES));
      this.dimensions = Dimensions.allBut(List.of(ID, ATTRIBUTES), table.header());
    }

    @Override
    public @Nullable HostSpec next() {
      CsvTable.Row row = table.next();
      return row == null
          ? null
          : new HostSpec(
              row.field(ID).required(),
              Dimensions.read(row, dimensions),
              row.optional(ATTRIBUTES).map(Attributes::parse).orElse(Map.of()));
    }
  }

  private static final class QosReader implements HostReader {

    private static final List<String> FIELDS =
        List.of("host id", "name", QosRequests.CPU, QosRequests.RAM, "attributes");

    private final Lines lines;

    QosReader(Lines lines) {
      this.lines = lines;
    }

    @Override
    public @Nullable HostSpec next() {
      String line = lines.next();
      if (line == null) {
        return null;
      }
      TermRow row = TermRow.of(lines.place(), line, FIELDS);
      return new HostSpec(
          row.field("host id").required(),
          QosRequests.cpuAndMemory(row.field(QosRequests.CPU), row.field(QosRequests.RAM)),
          attributes(lines.place(), row.list("attributes")));
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
}
