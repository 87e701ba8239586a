package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes hosts as rows of a table that has the columns they need and no others. */
final class CsvHosts {

  private final Set<Dimension> dimensions = new TreeSet<>();
  private final boolean attributes;
  private final boolean timeShared;

  CsvHosts(Collection<HostSpec> hosts) {
    hosts.forEach(host -> dimensions.addAll(host.capacity().dimensions()));
    dimensions.remove(Dimension.CPU);
    dimensions.remove(Dimension.MEMORY);
    attributes = hosts.stream().anyMatch(host -> !host.attributes().isEmpty());
    timeShared = hosts.stream().anyMatch(HostSpec::timeShared);
  }

  String header() {
    List<String> columns = new ArrayList<>(CsvInfrastructure.REQUIRED);
    for (Dimension each : dimensions) {
      Written written = new Written("dimension " + each);
      if (CsvTable.names(
          each.name(),
          List.of(
              CsvInfrastructure.ID,
              Dimensions.CPU,
              Dimensions.MEMORY,
              CsvInfrastructure.ATTRIBUTES,
              CsvInfrastructure.TIME_SHARED))) {
        throw written.refused(
            "its name is like that of a column, which csv cannot tell; jsonl can");
      }
      columns.add(CsvText.cell(written, "name", written.name("name", each.name())));
    }
    if (attributes) {
      columns.add(CsvInfrastructure.ATTRIBUTES);
    }
    if (timeShared) {
      columns.add(CsvInfrastructure.TIME_SHARED);
    }
    return CsvText.row(columns);
  }

  String row(HostSpec host) {
    Written written = new Written("host " + host.id());
    List<String> cells = new ArrayList<>();
    cells.add(CsvText.cell(written, "id", written.name("id", host.id())));
    cells.add(written.amount(Dimension.CPU, host.capacity().amount(Dimension.CPU)));
    cells.add(written.amount(Dimension.MEMORY, host.capacity().amount(Dimension.MEMORY)));
    dimensions.forEach(each -> cells.add(written.amount(each, host.capacity().amount(each))));
    if (attributes) {
      cells.add(
          CsvText.cell(
              written,
              "attributes",
              host.attributes().entrySet().stream()
                  .map(
                      each ->
                          CsvText.word(written, "attribute", each.getKey(), true)
                              + "="
                              + CsvText.word(
                                  written, "value of an attribute", each.getValue(), false))
                  .collect(Collectors.joining(";"))));
    }
    if (timeShared) {
      cells.add(Boolean.toString(host.timeShared()));
    }
    return CsvText.row(cells);
  }
}
