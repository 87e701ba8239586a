package dev.berth.traces.format.csv;

import dev.berth.simulator.HostEvent;
import dev.berth.traces.CsvTable;
import dev.berth.traces.EntryReader;
import dev.berth.traces.Field;
import dev.berth.traces.HostEventsFormat;
import dev.berth.traces.Input;
import dev.berth.traces.SkipReport;
import dev.berth.traces.TimeOrder;
import dev.berth.traces.internal.RowReader;
import java.util.List;
import java.util.Optional;

/** Failures and recoveries of hosts as comma-separated values with a header. */
final class CsvHostEventsFormat implements HostEventsFormat {

  private static final List<String> COLUMNS = List.of("time", "host", "event");

  @Override
  public String name() {
    return CsvWorkloadFormat.NAME;
  }

  @Override
  public String description() {
    return "Berth's own: time,host,event, where the event is fails or recovers";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> CsvTable.isHeader(line, COLUMNS)).isPresent();
  }

  @Override
  public EntryReader<HostEvent> open(Input input, SkipReport skips) {
    TimeOrder order = new TimeOrder();
    return new RowReader<>(
        CsvTable.with(input, COLUMNS, List.of()),
        row -> {
          String host = row.field("host").required();
          boolean fails = fails(row.field("event"));
          long at = order.read(row.field("time"));
          return fails ? new HostEvent.Fails(at, host) : new HostEvent.Recovers(at, host);
        });
  }

  private static boolean fails(Field event) {
    return switch (event.text()) {
      case "fails" -> true;
      case "recovers" -> false;
      default ->
          throw event.error(
              "must be fails or recovers",
              switch (event.text()) {
                case "fail", "failed", "down" -> Optional.of("you meant \"fails\"");
                case "recover", "recovered", "up" -> Optional.of("you meant \"recovers\"");
                default -> Optional.empty();
              });
    };
  }
}
