package dev.berth.traces;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Infrastructures in our own format: a JSON object a line. */
public final class JsonInfrastructure implements InfrastructureFormat {

  static final String ID = "id";
  static final String CAPACITY = "capacity";
  static final String ATTRIBUTES = "attributes";
  static final String TIME_SHARED = "timeShared";

  /** For the service loader. */
  public JsonInfrastructure() {}

  @Override
  public String name() {
    return JsonWorkload.NAME;
  }

  @Override
  public String description() {
    return "ours, JSON Lines: id, capacity, attributes, timeShared";
  }

  @Override
  public boolean recognises(Input input) {
    return JsonWorkload.isObject(input);
  }

  @Override
  public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
    return new LineReader<>(
        input.open(), (place, line) -> JsonLine.of(place, line).make(JsonInfrastructure::host));
  }

  private static HostSpec host(JsonLine line) {
    line.only(List.of(ID, CAPACITY, ATTRIBUTES, TIME_SHARED));
    Map<String, String> attributes = new TreeMap<>();
    line.object(ATTRIBUTES)
        .ifPresent(
            object -> object.fields().forEach((name, field) -> attributes.put(name, field.text())));
    return new HostSpec(
        line.field(ID).required(),
        line.object(CAPACITY).map(JsonWorkload::amounts).orElse(Resources.none()),
        attributes,
        line.optional(TIME_SHARED).map(Field::flag).orElse(false));
  }
}
