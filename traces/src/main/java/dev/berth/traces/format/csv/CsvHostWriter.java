package dev.berth.traces.format.csv;

import static dev.berth.traces.format.csv.CsvInfrastructureFormat.ATTRIBUTES;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.COLUMNS;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.REQUIRED;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.TAINTS;
import static dev.berth.traces.format.csv.CsvInfrastructureFormat.TIME_SHARED;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.spi.EntryWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Writes hosts as rows of a table with the columns that they need and no others. */
final class CsvHostWriter implements EntryWriter<HostSpec> {

  private final Set<Dimension> dimensions = new TreeSet<>();
  private final boolean attributes;
  private final boolean timeShared;
  private final boolean taints;

  CsvHostWriter(Collection<HostSpec> hosts) {
    hosts.forEach(host -> dimensions.addAll(host.capacity().dimensions()));
    dimensions.remove(Dimension.CPU);
    dimensions.remove(Dimension.MEMORY);
    attributes = hosts.stream().anyMatch(host -> !host.attributes().isEmpty());
    timeShared = hosts.stream().anyMatch(HostSpec::timeShared);
    taints = hosts.stream().anyMatch(host -> !host.taints().isEmpty());
  }

  @Override
  public Optional<String> header() {
    List<String> columns = new ArrayList<>(REQUIRED);
    CsvCells.addDimensions(dimensions, COLUMNS, columns);
    if (attributes) {
      columns.add(ATTRIBUTES);
    }
    if (timeShared) {
      columns.add(TIME_SHARED);
    }
    if (taints) {
      columns.add(TAINTS);
    }
    return Optional.of(CsvCells.row(columns));
  }

  @Override
  public String line(HostSpec host) {
    FieldWriter fields = new FieldWriter("host " + host.id());
    List<String> cells = new ArrayList<>();
    cells.add(CsvCells.cell(fields, "id", fields.name("id", host.id())));
    cells.add(fields.amount(Dimension.CPU, host.capacity().amount(Dimension.CPU)));
    cells.add(fields.amount(Dimension.MEMORY, host.capacity().amount(Dimension.MEMORY)));
    dimensions.forEach(each -> cells.add(fields.amount(each, host.capacity().amount(each))));
    if (attributes) {
      cells.add(
          CsvCells.cell(
              fields, "attributes", CsvCells.pairs(fields, "attribute", host.attributes())));
    }
    if (timeShared) {
      cells.add(Boolean.toString(host.timeShared()));
    }
    if (taints) {
      cells.add(CsvPlacement.taints(fields, host.taints()));
    }
    return CsvCells.row(cells);
  }
}
