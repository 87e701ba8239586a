package dev.berth.traces.format.csv;

import static dev.berth.traces.format.csv.CsvHostEventsFormat.EVENT;
import static dev.berth.traces.format.csv.CsvHostEventsFormat.HOST;
import static dev.berth.traces.format.csv.CsvHostEventsFormat.TIME;
import static dev.berth.traces.format.csv.CsvHostEventsFormat.VALUE;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.ATTRIBUTES;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.ID;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.TAINTS;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.TIME_SHARED;

import dev.berth.api.HostSpec;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.format.csv.CsvRows.Column;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.HostEventNames;
import dev.berth.traces.spi.EntryWriter;
import dev.berth.traces.spi.FormatWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes tables with the columns that the content needs and no others. */
public final class CsvWriter implements FormatWriter {

  public CsvWriter() {}

  @Override
  public String name() {
    return CsvWorkloadFormat.NAME;
  }

  @Override
  public EntryWriter<Arrival> workload(Workload workload) {
    return CsvRequestColumns.writer(workload);
  }

  @Override
  public EntryWriter<HostSpec> hosts(Collection<HostSpec> hosts) {
    List<Column<HostSpec>> columns = new ArrayList<>();
    columns.add(new Column<>(ID, (host, fields) -> CsvCells.name(fields, ID, host.id())));
    columns.addAll(
        CsvRows.amounts(
            hosts.stream().flatMap(host -> host.capacity().dimensions().stream()).toList(),
            CsvInfrastructureFormat.COLUMNS,
            HostSpec::capacity));
    if (hosts.stream().anyMatch(host -> !host.attributes().isEmpty())) {
      columns.add(new Column<>(ATTRIBUTES, CsvWriter::attributes));
    }
    if (hosts.stream().anyMatch(HostSpec::timeShared)) {
      columns.add(new Column<>(TIME_SHARED, (host, fields) -> Boolean.toString(host.timeShared())));
    }
    if (hosts.stream().anyMatch(host -> !host.taints().isEmpty())) {
      columns.add(
          new Column<>(TAINTS, (host, fields) -> CsvPlacement.taints(fields, host.taints())));
    }
    return new CsvRows<>(host -> "host " + host.id(), columns);
  }

  private static String attributes(HostSpec host, FieldWriter fields) {
    return CsvCells.cell(
        fields, ATTRIBUTES, CsvCells.pairs(fields, "attribute", host.attributes()));
  }

  @Override
  public EntryWriter<HostEvent> hostEvents(Collection<HostEvent> events) {
    List<Column<HostEvent>> columns = new ArrayList<>();
    columns.add(new Column<>(TIME, (event, fields) -> fields.time(TIME, event.at())));
    columns.add(new Column<>(HOST, CsvWriter::host));
    columns.add(new Column<>(EVENT, (event, fields) -> HostEventNames.word(event)));
    if (events.stream().anyMatch(CsvWriter::hasValue)) {
      columns.add(new Column<>(VALUE, CsvWriter::value));
    }
    return new CsvRows<>(event -> "event at %s ns".formatted(event.at()), columns);
  }

  private static String host(HostEvent event, FieldWriter fields) {
    return event instanceof HostEvent.OfHost it ? CsvCells.name(fields, HOST, it.hostId()) : "";
  }

  private static boolean hasValue(HostEvent event) {
    return event instanceof HostEvent.Tainted || event instanceof HostEvent.LimitSet;
  }

  private static String value(HostEvent event, FieldWriter fields) {
    if (event instanceof HostEvent.Tainted tainted) {
      return CsvPlacement.taints(fields, tainted.taints());
    }
    return event instanceof HostEvent.LimitSet limit ? CsvPlacement.limit(fields, limit) : "";
  }
}
