package dev.berth.traces;

import dev.berth.api.HostSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Infrastructures of the Google cluster trace of 2011: the machines of {@code machine_events} that
 * are there when the trace begins, with their {@code machine_attributes} of that time where those
 * stand beside. Capacities are shares of the biggest machine.
 */
public final class GoogleMachines implements InfrastructureFormat {

  static final String NO_CAPACITY = "machine without capacities";
  static final String LATER = "event after the trace began";

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

  /** For the service loader. */
  public GoogleMachines() {}

  @Override
  public String name() {
    return GoogleTrace.NAME;
  }

  @Override
  public String description() {
    return "the Google cluster trace of 2011: machine_events (and machine_attributes beside)";
  }

  @Override
  public boolean recognises(Input input) {
    return isMachineEvents(input);
  }

  static boolean isMachineEvents(Input input) {
    return input.isFolder()
        ? !GoogleTrace.parts(input, GoogleTrace.MACHINE_EVENTS).isEmpty()
        : input
            .firstLine()
            .filter(line -> GoogleTrace.looksLike(line, FIELDS.size(), 0, 1, 2))
            .isPresent();
  }

  static PartedTable events(Input input) {
    List<Input> parts = GoogleTrace.parts(input, GoogleTrace.MACHINE_EVENTS);
    if (parts.isEmpty()) {
      throw input.wrong("holds no machine_events");
    }
    return new PartedTable(parts, FIELDS);
  }

  /** A row of {@code machine_events}, in order of time. */
  record Event(
      Place place, long at, boolean atStart, String machine, int type, Field cpu, Field memory) {

    static Event of(CsvTable.Row row, TimeOrder order) {
      Field time = row.field(TIME);
      long at = GoogleTrace.time(time);
      Field machine = row.field(MACHINE);
      machine.wholeLong(0, Long.MAX_VALUE);
      int type = (int) row.field(EVENT).wholeLong(0, 2);
      boolean atStart = time.wholeLong(0, Long.MAX_VALUE) == 0;
      order.read(time, at);
      return new Event(
          row.place(), at, atStart, machine.text(), type, row.field(CPU), row.field(MEMORY));
    }

    /** Returns whether it adds a host, of a capacity that is told, before the trace begins. */
    boolean isHost() {
      return atStart && type == ADD && !cpu.isEmpty() && !memory.isEmpty();
    }
  }

  @Override
  public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
    return new Reader(
        events(input),
        attributes(
            GoogleTrace.partsBeside(
                input, GoogleTrace.MACHINE_EVENTS, GoogleTrace.MACHINE_ATTRIBUTES)),
        leftOut);
  }

  /** Returns the attributes that each machine has when the trace begins. */
  private static Map<String, Map<String, String>> attributes(List<Input> parts) {
    Map<String, Map<String, String>> byMachine = new HashMap<>();
    try (PartedTable table = new PartedTable(parts, ATTRIBUTES)) {
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

  private static final class Reader implements EntryReader<HostSpec> {

    private final PartedTable table;
    private final Map<String, Map<String, String>> attributes;
    private final LeftOut leftOut;
    private final TimeOrder order = new TimeOrder();

    Reader(PartedTable table, Map<String, Map<String, String>> attributes, LeftOut leftOut) {
      this.table = table;
      this.attributes = attributes;
      this.leftOut = leftOut;
    }

    @Override
    public @Nullable HostSpec next() {
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        Event event = Event.of(row, order);
        if (event.isHost()) {
          return new HostSpec(
              event.machine,
              QosRequests.cpuAndMemory(event.cpu, event.memory),
              attributes.getOrDefault(event.machine, Map.of()));
        }
        leftOut.count(event.atStart && event.type == ADD ? NO_CAPACITY : LATER);
      }
      return null;
    }

    @Override
    public Place place() {
      return table.place();
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
