package dev.berth.traces.format.google;

import static dev.berth.traces.format.google.GoogleInfrastructureFormat.ADD;
import static dev.berth.traces.format.google.GoogleInfrastructureFormat.NO_CAPACITY;
import static dev.berth.traces.format.google.GoogleInfrastructureFormat.REMOVE;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Host events of the Google cluster trace of 2011. A machine of {@code machine_events} that exists
 * when the trace begins fails when it is removed, and recovers unchanged when it is added again.
 */
public final class GoogleHostEventsFormat extends DeclaredFormat implements HostEventsFormat {

  static final String NEW = "event of a machine that is absent when the trace begins";
  static final String UPDATE = "change of a machine's capacities";

  public GoogleHostEventsFormat() {
    super(
        GoogleTrace.NAME,
        "the Google cluster trace of 2011: machine_events",
        GoogleInfrastructureFormat::isMachineEvents);
  }

  @Override
  public EntryReader<HostEvent> open(Input input, SkipReport skips) {
    Machines machines = new Machines(skips);
    TimeOrder order = new TimeOrder();
    return Entries.ofSome(
        GoogleInfrastructureFormat.events(input),
        row -> machines.event(GoogleInfrastructureFormat.Event.of(row, order)));
  }

  /** The machines that a file of events has named so far. */
  private static final class Machines {

    private final SkipReport skips;
    private final Map<String, Boolean> up = new HashMap<>();

    Machines(SkipReport skips) {
      this.skips = skips;
    }

    Optional<HostEvent> event(GoogleInfrastructureFormat.Event event) {
      String machine = event.machine();
      if (event.isHost()) {
        up.put(machine, true);
        return Optional.empty();
      }
      Boolean isUp = up.get(machine);
      if (event.atStart() && event.type() == ADD) {
        skips.count(NO_CAPACITY);
      } else if (isUp == null) {
        skips.count(NEW);
      } else if (event.type() == REMOVE) {
        up.put(machine, false);
        return Optional.of(new HostEvent.Fails(event.at(), machine));
      } else if (event.type() == ADD) {
        up.put(machine, true);
        return Optional.of(new HostEvent.Recovers(event.at(), machine));
      } else {
        skips.count(UPDATE);
      }
      return Optional.empty();
    }
  }
}
