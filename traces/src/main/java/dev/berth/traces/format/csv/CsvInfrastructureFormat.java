package dev.berth.traces.format.csv;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.internal.PlacementExpressions;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Infrastructures as comma-separated values with a header. */
public final class CsvInfrastructureFormat extends DeclaredFormat implements InfrastructureFormat {

  static final String ID = "id";
  static final String ATTRIBUTES = "attributes";
  static final String TIME_SHARED = "time_shared";
  static final String TAINTS = "taints";

  static final List<String> REQUIRED = List.of(ID, FileDimensions.CPU, FileDimensions.MEMORY);
  private static final List<String> OPTIONAL = List.of(ATTRIBUTES, TIME_SHARED, TAINTS);

  static final List<String> COLUMNS = Stream.concat(REQUIRED.stream(), OPTIONAL.stream()).toList();

  public CsvInfrastructureFormat() {
    super(
        CsvWorkloadFormat.NAME,
        "Berth's own: id,cpu,memory and more",
        firstLine(line -> CsvTable.isHeader(line, REQUIRED)));
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
    return Entries.ofRows(
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
