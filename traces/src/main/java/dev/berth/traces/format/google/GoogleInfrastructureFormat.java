package dev.berth.traces.format.google;

import dev.berth.api.HostSpec;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.PartitionedTable;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Infrastructures of the Google cluster trace of 2011: the machines of {@code machine_events} that
 * exist when the trace begins. If {@code machine_attributes} is beside it, they have their
 * attributes of that time. Capacities are shares of the largest machine.
 */
public final class GoogleInfrastructureFormat extends DeclaredFormat
    implements InfrastructureFormat {

  static final String NO_CAPACITY = "machine without capacities";
  static final String LATER = "event after the start of the trace";

  static final int ADD = 0;
  static final int REMOVE = 1;
  static final String TIME = "time";
  static final String MACHINE = "machine ID";
  static final String EVENT = "event type";
  static final String CPU = "CPUs";
  static final String MEMORY = "memory";

  static final List<String> FIELDS = List.of(TIME, MACHINE, EVENT, "platform ID", CPU, MEMORY);

  private static final String ATTRIBUTE = "attribute name";
  private static final String VALUE = "attribute value";
  private static final String DELETED = "attribute deleted";

  private static final List<String> ATTRIBUTES = List.of(TIME, MACHINE, ATTRIBUTE, VALUE, DELETED);

  public GoogleInfrastructureFormat() {
    super(
        GoogleTrace.NAME,
        "the Google cluster trace of 2011: machine_events (and machine_attributes beside)",
        GoogleInfrastructureFormat::isMachineEvents);
  }

  static boolean isMachineEvents(Input input) {
    return input.isFolder()
        ? !GoogleTrace.parts(input, GoogleTrace.MACHINE_EVENTS).isEmpty()
        : input
            .firstLine()
            .filter(line -> GoogleTrace.looksLike(line, FIELDS.size(), 0, 1, 2))
            .isPresent();
  }

  static PartitionedTable events(Input input) {
    List<Input> parts = GoogleTrace.parts(input, GoogleTrace.MACHINE_EVENTS);
    input.refuseIf(parts.isEmpty(), "holds no machine_events");
    return new PartitionedTable(parts, FIELDS);
  }

  /** A row of {@code machine_events}, in order of time. */
  record Event(
      SourceLocation location,
      long at,
      boolean atStart,
      String machine,
      int type,
      Field cpu,
      Field memory) {

    static Event of(CsvTable.Row row, TimeOrder order) {
      Field time = row.field(TIME);
      long at = GoogleTrace.time(time);
      Field machine = row.field(MACHINE);
      machine.wholeLong(0, Long.MAX_VALUE);
      int type = (int) row.field(EVENT).wholeLong(0, 2);
      boolean atStart = time.wholeLong(0, Long.MAX_VALUE) == 0;
      order.check(time, at);
      return new Event(
          row.location(), at, atStart, machine.text(), type, row.field(CPU), row.field(MEMORY));
    }

    /** Returns whether the event adds a host with known capacity before the trace begins. */
    boolean isHost() {
      return atStart && type == ADD && !cpu.isEmpty() && !memory.isEmpty();
    }
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    PartitionedTable events = events(input);
    Map<String, Map<String, String>> attributes =
        attributes(
            GoogleTrace.partsBeside(
                input, GoogleTrace.MACHINE_EVENTS, GoogleTrace.MACHINE_ATTRIBUTES));
    TimeOrder order = new TimeOrder();
    return Entries.ofSome(events, row -> host(Event.of(row, order), attributes, skips));
  }

  private static Optional<HostSpec> host(
      Event event, Map<String, Map<String, String>> attributes, SkipReport skips) {
    if (!event.isHost()) {
      return skips.skip(event.atStart && event.type == ADD ? NO_CAPACITY : LATER);
    }
    return Optional.of(
        new HostSpec(
            event.machine,
            FileDimensions.cpuAndMemory(event.cpu, event.memory),
            attributes.getOrDefault(event.machine, Map.of())));
  }

  /** Returns the attributes of each machine when the trace begins. */
  private static Map<String, Map<String, String>> attributes(List<Input> parts) {
    Map<String, Map<String, String>> byMachine = new HashMap<>();
    try (PartitionedTable table = new PartitionedTable(parts, ATTRIBUTES)) {
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        if (row.field(TIME).wholeLong(0, Long.MAX_VALUE) > 0) {
          break;
        }
        Map<String, String> attributes =
            byMachine.computeIfAbsent(row.field(MACHINE).required(), machine -> new TreeMap<>());
        String attribute = row.field(ATTRIBUTE).required();
        if (row.field(DELETED).flag()) {
          attributes.remove(attribute);
        } else {
          attributes.put(attribute, row.field(VALUE).text());
        }
      }
    }
    return byMachine;
  }
}
