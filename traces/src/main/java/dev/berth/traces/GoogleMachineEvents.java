package dev.berth.traces;

import dev.berth.simulator.HostEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Host events of the Google cluster trace of 2011: a machine of {@code machine_events} that is
 * there when the trace begins fails when it is removed, and recovers when it is added again, as it
 * was.
 */
public final class GoogleMachineEvents implements HostEventsFormat {

  static final String NEW = "event of a machine that is not there when the trace begins";
  static final String UPDATE = "change of a machine's capacities";

  /** For the service loader. */
  public GoogleMachineEvents() {}

  @Override
  public String name() {
    return GoogleTrace.NAME;
  }

  @Override
  public String description() {
    return "the Google cluster trace of 2011: machine_events";
  }

  @Override
  public boolean recognises(Input input) {
    return GoogleMachines.isMachineEvents(input);
  }

  @Override
  public EntryReader<HostEvent> open(Input input, LeftOut leftOut) {
    return new Reader(GoogleMachines.events(input), leftOut);
  }

  private static final class Reader implements EntryReader<HostEvent> {

    private final PartedTable table;
    private final LeftOut leftOut;
    private final TimeOrder order = new TimeOrder();
    private final Map<String, Boolean> up = new HashMap<>();

    Reader(PartedTable table, LeftOut leftOut) {
      this.table = table;
      this.leftOut = leftOut;
    }

    @Override
    public @Nullable HostEvent next() {
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        Optional<HostEvent> event = event(GoogleMachines.Event.of(row, order));
        if (event.isPresent()) {
          return event.get();
        }
      }
      return null;
    }

    private Optional<HostEvent> event(GoogleMachines.Event event) {
      String machine = event.machine();
      if (event.isHost()) {
        up.put(machine, true);
        return Optional.empty();
      }
      Boolean isUp = up.get(machine);
      if (event.atStart() && event.type() == GoogleMachines.ADD) {
        leftOut.count(GoogleMachines.NO_CAPACITY);
      } else if (isUp == null) {
        leftOut.count(NEW);
      } else if (event.type() == GoogleMachines.REMOVE) {
        up.put(machine, false);
        return Optional.of(new HostEvent.Fails(event.at(), machine));
      } else if (event.type() == GoogleMachines.ADD) {
        up.put(machine, true);
        return Optional.of(new HostEvent.Recovers(event.at(), machine));
      } else {
        leftOut.count(UPDATE);
      }
      return Optional.empty();
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
