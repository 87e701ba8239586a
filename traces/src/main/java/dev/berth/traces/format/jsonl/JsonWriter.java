package dev.berth.traces.format.jsonl;

import dev.berth.api.HostSpec;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.spi.EntryWriter;
import dev.berth.traces.spi.FormatWriter;
import java.util.Collection;

/** Writes one JSON object a line. */
public final class JsonWriter implements FormatWriter {

  public JsonWriter() {}

  @Override
  public String name() {
    return JsonWorkloadFormat.NAME;
  }

  @Override
  public EntryWriter<Arrival> workload(Workload workload) {
    return JsonEntryWriter::line;
  }

  @Override
  public EntryWriter<HostSpec> hosts(Collection<HostSpec> hosts) {
    return JsonEntryWriter::line;
  }

  @Override
  public EntryWriter<HostEvent> hostEvents(Collection<HostEvent> events) {
    return JsonEntryWriter::line;
  }
}
