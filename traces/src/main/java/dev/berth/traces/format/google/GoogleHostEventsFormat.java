package dev.berth.traces.format.google;

import dev.berth.simulator.HostEvent;
import dev.berth.traces.CsvTable;
import dev.berth.traces.EntryReader;
import dev.berth.traces.HostEventsFormat;
import dev.berth.traces.Input;
import dev.berth.traces.SkipReport;
import dev.berth.traces.SourceLocation;
import dev.berth.traces.TimeOrder;
import dev.berth.traces.internal.PartitionedTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Host events of the Google cluster trace of 2011. A machine of {@code machine_events} that exists
 * when the trace begins fails when it is removed, and recovers unchanged when it is added again.
 */
final class GoogleHostEventsFormat implements HostEventsFormat {

  static final String NEW = "event of a machine that is absent when the trace begins";
  static final String UPDATE = "change of a machine's capacities";

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
    return GoogleInfrastructureFormat.isMachineEvents(input);
  }

  @Override
  public EntryReader<HostEvent> open(Input input, SkipReport skips) {
    return new Reader(GoogleInfrastructureFormat.events(input), skips);
  }

  private static final class Reader implements EntryReader<HostEvent> {

    private final PartitionedTable table;
    private final SkipReport skips;
    private final TimeOrder order = new TimeOrder();
    private final Map<String, Boolean> up = new HashMap<>();

    Reader(PartitionedTable table, SkipReport skips) {
      this.table = table;
      this.skips = skips;
    }

    @Override
    public @Nullable HostEvent next() {
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        Optional<HostEvent> event = event(GoogleInfrastructureFormat.Event.of(row, order));
        if (event.isPresent()) {
          return event.get();
        }
      }
      return null;
    }

    private Optional<HostEvent> event(GoogleInfrastructureFormat.Event event) {
      String machine = event.machine();
      if (event.isHost()) {
        up.put(machine, true);
        return Optional.empty();
      }
      Boolean isUp = up.get(machine);
      if (event.atStart() && event.type() == GoogleInfrastructureFormat.ADD) {
        skips.count(GoogleInfrastructureFormat.NO_CAPACITY);
      } else if (isUp == null) {
        skips.count(NEW);
      } else if (event.type() == GoogleInfrastructureFormat.REMOVE) {
        up.put(machine, false);
        return Optional.of(new HostEvent.Fails(event.at(), machine));
      } else if (event.type() == GoogleInfrastructureFormat.ADD) {
        up.put(machine, true);
        return Optional.of(new HostEvent.Recovers(event.at(), machine));
      } else {
        skips.count(UPDATE);
      }
      return Optional.empty();
    }

    @Override
    public SourceLocation location() {
      return table.location();
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
