package dev.berth.cli.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** A trace in the JSON of Chrome, with times in microseconds, which most viewers read. */
final class ChromeSink implements TraceSink, AutoCloseable {

  private final JsonGenerator json;

  ChromeSink(OutputStream out) throws IOException {
    json = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).createGenerator(out);
    json.writeStartObject();
    json.writeArrayFieldStart("traceEvents");
  }

  /** Begins an event. */
  private void event(String phase, int run, long track, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeNumberField("pid", run);
    json.writeNumberField("tid", track);
    json.writeStringField("name", name);
  }

  private void time(String field, long nanos) throws IOException {
    json.writeNumberField(field, nanos / 1e3);
  }

  private void metadata(int run, long track, String what, String field, Object value)
      throws IOException {
    event("M", run, track, what);
    json.writeObjectFieldStart("args");
    json.writeObjectField(field, value);
    json.writeEndObject();
    json.writeEndObject();
  }

  @Override
  public void run(int run, String name) throws IOException {
    metadata(run, 0, "process_name", "name", name);
  }

  @Override
  public void lane(int run, long track, String host, int hostNumber, int lane) throws IOException {
    metadata(run, track, "thread_name", "name", "%s, lane %s".formatted(host, lane + 1));
    metadata(run, track, "thread_sort_index", "sort_index", track);
  }

  @Override
  public void slice(int run, long track, Slice slice, List<Long> flows, Map<String, String> about)
      throws IOException {
    event("X", run, track, slice.name());
    json.writeStringField("cat", slice.category());
    time("ts", slice.from());
    time("dur", slice.to() - slice.from());
    json.writeObjectFieldStart("args");
    for (Map.Entry<String, String> each : about.entrySet()) {
      json.writeStringField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
    for (long flow : flows) {
      flow("s", run, track, slice.from(), flow);
    }
  }

  private void flow(String phase, int run, long track, long at, long flow) throws IOException {
    event(phase, run, track, "preemption");
    json.writeStringField("cat", "preemption");
    json.writeNumberField("id", flow);
    time("ts", at);
    if (phase.equals("f")) {
      json.writeStringField("bp", "e");
    }
    json.writeEndObject();
  }

  @Override
  public void instant(int run, long track, String name, long at, long flow) throws IOException {
    event("i", run, track, name);
    time("ts", at);
    json.writeStringField("s", "t");
    json.writeEndObject();
    if (flow != 0) {
      flow("f", run, track, at, flow);
    }
  }

  @Override
  public void counter(int run, String name, long at, double value) throws IOException {
    event("C", run, 0, name);
    time("ts", at);
    json.writeObjectFieldStart("args");
    json.writeNumberField("value", value);
    json.writeEndObject();
    json.writeEndObject();
  }

  @Override
  public void close() throws IOException {
    json.writeEndArray();
    json.writeStringField("displayTimeUnit", "ms");
    json.writeEndObject();
    json.close();
  }
}
