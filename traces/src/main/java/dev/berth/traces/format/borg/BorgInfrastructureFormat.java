package dev.berth.traces.format.borg;

import dev.berth.api.HostSpec;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;

/**
 * Infrastructures of the Borg simulator of the QoS-driven scheduling group: the machines of the
 * Google cluster trace of 2011 with attributes. Capacities are shares of the largest machine.
 */
public final class BorgInfrastructureFormat extends DeclaredFormat implements InfrastructureFormat {

  private static final List<String> FIELDS = List.of("id", "name", "cpu", "mem");
  private static final String ATTRIBUTES = "attributes";
  private static final Shape FIRST = Shape.of("(?:[^,\\[{]++,){4}+\\[");
  private static final Shape ATTRIBUTE = Shape.of("([^,]++),([^,]*+)");

  public BorgInfrastructureFormat() {
    super(
        BorgRow.NAME,
        "machines of the Google trace for the Borg simulator, with attributes",
        firstLine(FIRST::begins));
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    return Entries.ofLines(input.open(), BorgInfrastructureFormat::host);
  }

  private static HostSpec host(SourceLocation location, String line) {
    BorgRow row = BorgRow.of(location, line, FIELDS, ATTRIBUTES);
    Map<String, String> attributes = new TreeMap<>();
    for (Field each : row.list()) {
      MatchResult attribute =
          ATTRIBUTE
              .match(each.text())
              .orElseThrow(() -> each.error("must be an attribute like name,value"));
      HostAttributes.add(attributes, each, attribute.group(1), attribute.group(2));
    }
    return new HostSpec(
        row.field("id").required(),
        FileDimensions.cpuAndMemory(row.field("cpu"), row.field("mem")),
        attributes);
  }
}
