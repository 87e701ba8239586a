package dev.berth.traces.format.csv;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.HostEventNames;
import dev.berth.traces.spi.EntryWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Writes host events as rows of a table, with the column of values only if there are any. */
final class CsvHostEventWriter implements EntryWriter<HostEvent> {

  private final boolean values;

  CsvHostEventWriter(Collection<HostEvent> events) {
    values =
        events.stream()
            .anyMatch(
                each -> each instanceof HostEvent.Tainted || each instanceof HostEvent.LimitSet);
  }

  @Override
  public Optional<String> header() {
    List<String> columns = new ArrayList<>(CsvHostEventsFormat.REQUIRED);
    if (values) {
      columns.add(CsvHostEventsFormat.VALUE);
    }
    return Optional.of(CsvCells.row(columns));
  }

  @Override
  public String line(HostEvent event) {
    FieldWriter fields = new FieldWriter("event at %s ns".formatted(event.at()));
    List<String> cells = new ArrayList<>();
    cells.add(fields.time("time", event.at()));
    cells.add(
        event instanceof HostEvent.OfHost ofHost
            ? CsvCells.cell(fields, "host", fields.name("host", ofHost.hostId()))
            : "");
    cells.add(HostEventNames.word(event));
    if (values) {
      cells.add(value(event, fields));
    }
    return CsvCells.row(cells);
  }

  private static String value(HostEvent event, FieldWriter fields) {
    if (event instanceof HostEvent.Tainted tainted) {
      return CsvPlacement.taints(fields, tainted.taints());
    }
    return event instanceof HostEvent.LimitSet limit ? CsvPlacement.limit(fields, limit) : "";
  }
}
