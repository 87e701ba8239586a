package dev.berth.traces.format.csv;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.traces.CsvTable;
import dev.berth.traces.EntryReader;
import dev.berth.traces.Field;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.Input;
import dev.berth.traces.SkipReport;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.internal.PlacementExpressions;
import dev.berth.traces.internal.RowReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Infrastructures as comma-separated values with a header. */
final class CsvInfrastructureFormat implements InfrastructureFormat {

  static final String ID = "id";
  static final String ATTRIBUTES = "attributes";
  static final String TIME_SHARED = "time_shared";
  static final String TAINTS = "taints";

  static final List<String> REQUIRED = List.of(ID, FileDimensions.CPU, FileDimensions.MEMORY);
  private static final List<String> OPTIONAL = List.of(ATTRIBUTES, TIME_SHARED, TAINTS);

  static final List<String> COLUMNS = Stream.concat(REQUIRED.stream(), OPTIONAL.stream()).toList();

  @Override
  public String name() {
    return CsvWorkloadFormat.NAME;
  }

  @Override
  public String description() {
    return "Berth's own: id,cpu,memory and more";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> CsvTable.isHeader(line, REQUIRED)).isPresent();
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    String header = input.firstLine().orElse("");
    if (CsvTable.isHeader(header, CsvWorkloadFormat.OF_REQUESTS)) {
      throw input.error("has the columns of requests, must have those of hosts");
    }
    CsvTable table = CsvTable.withOtherColumns(input, REQUIRED, OPTIONAL);
    Map<String, Dimension> dimensions =
        FileDimensions.allBut(List.of(ID, ATTRIBUTES, TIME_SHARED, TAINTS), table.header());
    return new RowReader<>(
        table,
        row ->
            new HostSpec(
                row.field(ID).required(),
                FileDimensions.read(row, dimensions),
                row.optional(ATTRIBUTES).map(HostAttributes::parse).orElse(Map.of()),
                row.optional(TIME_SHARED).map(Field::flag).orElse(false),
                row.optional(TAINTS).map(PlacementExpressions::taints).orElse(List.of())));
  }
}
