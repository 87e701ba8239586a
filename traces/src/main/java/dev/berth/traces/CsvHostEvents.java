package dev.berth.traces;

import dev.berth.simulator.HostEvent;
import java.util.List;
import java.util.Optional;

/** Failures and recoveries of hosts in our own format: comma-separated values with a header. */
public final class CsvHostEvents implements HostEventsFormat {

  private static final List<String> COLUMNS = List.of("time", "host", "event");

  /** For the service loader. */
  public CsvHostEvents() {}

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public String description() {
    return "ours: time,host,event, where the event is fails or recovers";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> CsvTable.names(line, COLUMNS)).isPresent();
  }

  @Override
  public EntryReader<HostEvent> open(Input input, LeftOut leftOut) {
    TimeOrder order = new TimeOrder();
    return new CsvReader<>(
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
          throw event.wrong(
              "must be fails or recovers",
              switch (event.text()) {
                case "fail", "failed", "down" -> Optional.of("you meant \"fails\"");
                case "recover", "recovered", "up" -> Optional.of("you meant \"recovers\"");
                default -> Optional.empty();
              });
    };
  }
}
