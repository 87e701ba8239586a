package dev.berth.traces;

import dev.berth.api.HostSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Infrastructures of the Borg simulator of the QoS-driven scheduling group: the machines of the
 * Google cluster trace of 2011 with attributes. Capacities are shares of the biggest machine.
 */
public final class BorgMachines implements InfrastructureFormat {

  private static final List<String> FIELDS = List.of("id", "name", "cpu", "mem");
  private static final String ATTRIBUTES = "attributes";
  private static final Pattern FIRST = Pattern.compile("(?:[^,\\[{]+,){4}\\[.*");
  private static final Pattern ATTRIBUTE = Pattern.compile("([^,]+),([^,]*)");

  /** For the service loader. */
  public BorgMachines() {}

  @Override
  public String name() {
    return BorgRow.NAME;
  }

  @Override
  public String description() {
    return "machines of the Google trace for the Borg simulator, with attributes";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> FIRST.matcher(line).matches()).isPresent();
  }

  @Override
  public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
    return new LineReader<>(input.open(), BorgMachines::host);
  }

  private static HostSpec host(Place place, String line) {
    BorgRow row = BorgRow.of(place, line, FIELDS, ATTRIBUTES);
    Map<String, String> attributes = new TreeMap<>();
    for (Field each : row.list()) {
      Matcher attribute = ATTRIBUTE.matcher(each.text());
      if (!attribute.matches()) {
        throw each.wrong("must be an attribute like name,value");
      }
      Attributes.add(attributes, each, attribute.group(1), attribute.group(2));
    }
    return new HostSpec(
        row.field("id").required(),
        QosRequests.cpuAndMemory(row.field("cpu"), row.field("mem")),
        attributes);
  }
}
