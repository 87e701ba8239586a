package dev.berth.traces.format.jsonl;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.HostEventNames;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;

/** Host events as one JSON object a line. */
public final class JsonHostEventsFormat extends DeclaredFormat implements HostEventsFormat {

  static final String TIME = "time";
  static final String EVENT = "event";
  static final String HOST = "host";
  static final String LIMIT = "limit";
  static final String AMOUNT = "amount";

  public JsonHostEventsFormat() {
    super(
        JsonWorkloadFormat.NAME,
        "Berth's own, JSON Lines: time, event, host, taints, limit, amount",
        JsonWorkloadFormat::isObject);
  }

  @Override
  public EntryReader<HostEvent> open(Input input, SkipReport skips) {
    TimeOrder order = new TimeOrder();
    return Entries.ofLines(
        input.open(),
        (location, line) -> {
          JsonObject object = JsonObject.of(location, line);
          Field time = object.field(TIME);
          long at = time.nanos();
          HostEvent event = object.convert(each -> event(each, at));
          order.check(time, at); // last, because a skipped line has no time
          return event;
        });
  }

  private static HostEvent event(JsonObject line, long at) {
    return switch (HostEventNames.word(line.field(EVENT))) {
      case HostEventNames.LIMIT -> {
        line.only(List.of(TIME, EVENT, LIMIT, AMOUNT));
        yield new HostEvent.LimitSet(
            at, line.field(LIMIT).required(), line.field(AMOUNT).wholeLong(0, Long.MAX_VALUE));
      }
      case HostEventNames.TAINTS -> {
        line.only(List.of(TIME, EVENT, HOST, JsonPlacement.TAINTS));
        yield new HostEvent.Tainted(at, host(line), JsonPlacement.taints(line));
      }
      case HostEventNames.FAILS -> new HostEvent.Fails(at, host(ofHost(line)));
      default -> new HostEvent.Recovers(at, host(ofHost(line)));
    };
  }

  private static JsonObject ofHost(JsonObject line) {
    return line.only(List.of(TIME, EVENT, HOST));
  }

  private static String host(JsonObject line) {
    return line.field(HOST).required();
  }
}
