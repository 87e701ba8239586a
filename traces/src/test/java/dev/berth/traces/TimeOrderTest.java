package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Formats that leave the order of time to {@link Readers}. The error is that of all formats. */
class TimeOrderTest {

  private static final long SECOND = 1_000_000_000;
  private static final String RULE =
      "must not be before the time of an earlier line, 2s; lines must be in order of time.";

  @Test
  void refusesHostEventsOutOfOrder() {
    assertThatThrownBy(
            () -> Readers.hostEvents(new Events(), Input.of("events"), ReadOptions.STRICT))
        .isInstanceOf(InputException.class)
        .hasMessage("events, line 2: time was \"1s\", " + RULE);
  }

  @Test
  void refusesArrivalsOutOfOrder() {
    assertThatThrownBy(
            () ->
                Readers.workload(
                    new Requests(),
                    Input.of("requests"),
                    ServiceClasses.goldSilverBronze(Duration.ZERO),
                    ReadOptions.STRICT))
        .isInstanceOf(InputException.class)
        .hasMessage("requests, line 2: admission was \"1s\", " + RULE);
  }

  private static Arrival arrival(String id, long at) {
    Request request =
        Request.builder(id, ServiceClasses.GOLD).demand(Resources.of(Dimension.CPU, 1)).build();
    return new Arrival(at, request, SECOND);
  }

  /** A format that reads given entries, one a line. */
  private abstract static class Unordered implements Format {

    @Override
    public String name() {
      return "unordered";
    }

    @Override
    public String description() {
      return "entries in any order";
    }

    @Override
    public boolean recognises(Input input) {
      return false;
    }
  }

  private static final class Events extends Unordered implements HostEventsFormat {

    @Override
    public EntryReader<HostEvent> open(Input input, SkipReport skips) {
      return new Entries<>(
          input, List.of(new HostEvent.Fails(2 * SECOND, "a"), new HostEvent.Fails(SECOND, "b")));
    }
  }

  private static final class Requests extends Unordered implements WorkloadFormat {

    @Override
    public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
      return skips -> new Entries<>(input, List.of(arrival("a", 2 * SECOND), arrival("b", SECOND)));
    }
  }

  private static final class Entries<T> implements EntryReader<T> {

    private final Input input;
    private final Iterator<T> entries;
    private int line;

    Entries(Input input, List<T> entries) {
      this.input = input;
      this.entries = entries.iterator();
    }

    @Override
    public @Nullable T next() {
      line++;
      return entries.hasNext() ? entries.next() : null;
    }

    @Override
    public SourceLocation location() {
      return new SourceLocation(input.file(), line);
    }

    @Override
    public void close() {
      // holds no resources
    }
  }
}
