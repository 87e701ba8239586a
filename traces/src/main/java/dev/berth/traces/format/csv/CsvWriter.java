package dev.berth.traces.format.csv;

import dev.berth.api.HostSpec;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.spi.EntryWriter;
import dev.berth.traces.spi.FormatWriter;
import java.util.Collection;

/** Writes tables with the columns that the content needs and no others. */
public final class CsvWriter implements FormatWriter {

  public CsvWriter() {}

  @Override
  public String name() {
    return CsvWorkloadFormat.NAME;
  }

  @Override
  public EntryWriter<Arrival> workload(Workload workload) {
    CsvArrivalWriter writer = new CsvArrivalWriter();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(writer::addColumnsFor);
    }
    return writer;
  }

  @Override
  public EntryWriter<HostSpec> hosts(Collection<HostSpec> hosts) {
    return new CsvHostWriter(hosts);
  }

  @Override
  public EntryWriter<HostEvent> hostEvents(Collection<HostEvent> events) {
    return new CsvHostEventWriter(events);
  }
}
