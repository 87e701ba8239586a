package dev.berth.traces.format.csv;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputPart;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.HostEventNames;
import dev.berth.traces.internal.PlacementExpressions;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Optional;

/** Host events as comma-separated values with a header. */
public final class CsvHostEventsFormat extends DeclaredFormat implements HostEventsFormat {

  static final String TIME = "time";
  static final String HOST = "host";
  static final String EVENT = "event";
  static final String VALUE = "value";

  static final List<String> REQUIRED = List.of(TIME, HOST, EVENT);
  private static final List<String> OPTIONAL = List.of(VALUE);

  public CsvHostEventsFormat() {
    super(
        CsvWorkloadFormat.NAME,
        "Berth's own: time,host,event,value; the event is fails, recovers, taints or limit",
        firstLine(line -> CsvTable.isHeader(line, REQUIRED)));
  }

  @Override
  public EntryReader<HostEvent> open(Input input, SkipReport skips) {
    TimeOrder order = new TimeOrder();
    return Entries.ofRows(
        CsvTable.with(input, REQUIRED, OPTIONAL),
        row -> {
          Field time = row.field(TIME);
          long at = time.nanos();
          HostEvent event = event(row, at);
          order.check(time, at); // last, because a skipped line has no time
          return event;
        });
  }

  private static HostEvent event(CsvTable.Row row, long at) {
    String word = HostEventNames.word(row.field(EVENT));
    Optional<Field> value = row.optional(VALUE);
    if (word.equals(HostEventNames.LIMIT)) {
      InputPart.refuse(row.optional(HOST), "must be empty, since a limit belongs to no host");
      return PlacementExpressions.limit(
          at,
          value.orElseThrow(
              () -> row.field(EVENT).error("requires a value like 20 matlab in the column value")));
    }
    String host = row.field(HOST).required();
    if (word.equals(HostEventNames.TAINTS)) {
      return new HostEvent.Tainted(
          at, host, value.map(PlacementExpressions::taints).orElse(List.of()));
    }
    InputPart.refuse(value, "must be empty, since the event has none");
    return word.equals(HostEventNames.FAILS)
        ? new HostEvent.Fails(at, host)
        : new HostEvent.Recovers(at, host);
  }
}
