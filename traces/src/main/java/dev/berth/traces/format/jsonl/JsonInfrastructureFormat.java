package dev.berth.traces.format.jsonl;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Infrastructures as one JSON object a line. */
public final class JsonInfrastructureFormat extends DeclaredFormat implements InfrastructureFormat {

  static final String ID = "id";
  static final String CAPACITY = "capacity";
  static final String ATTRIBUTES = "attributes";
  static final String TIME_SHARED = "timeShared";

  public JsonInfrastructureFormat() {
    super(
        JsonWorkloadFormat.NAME,
        "Berth's own, JSON Lines: id, capacity, attributes, timeShared, taints",
        JsonWorkloadFormat::isObject);
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    return Entries.ofLines(
        input.open(),
        (location, line) -> JsonObject.of(location, line).convert(JsonInfrastructureFormat::host));
  }

  private static HostSpec host(JsonObject line) {
    line.only(List.of(ID, CAPACITY, ATTRIBUTES, TIME_SHARED, JsonPlacement.TAINTS));
    Map<String, String> attributes = new TreeMap<>();
    line.object(ATTRIBUTES)
        .ifPresent(
            object -> object.fields().forEach((name, field) -> attributes.put(name, field.text())));
    return new HostSpec(
        line.field(ID).required(),
        line.object(CAPACITY).map(JsonWorkloadFormat::amounts).orElse(Resources.none()),
        attributes,
        line.optional(TIME_SHARED).map(Field::flag).orElse(false),
        JsonPlacement.taints(line));
  }
}
