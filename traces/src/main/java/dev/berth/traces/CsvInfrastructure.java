package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import java.util.List;
import java.util.Map;

/** Infrastructures in our own format: comma-separated values with a header. */
public final class CsvInfrastructure implements InfrastructureFormat {

  static final String ID = "id";
  static final String ATTRIBUTES = "attributes";
  static final String TIME_SHARED = "time_shared";

  static final List<String> REQUIRED = List.of(ID, Dimensions.CPU, Dimensions.MEMORY);
  private static final List<String> OPTIONAL = List.of(ATTRIBUTES, TIME_SHARED);

  /** For the service loader. */
  public CsvInfrastructure() {}

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public String description() {
    return "ours: id,cpu,memory and more";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> CsvTable.names(line, REQUIRED)).isPresent();
  }

  @Override
  public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
    CsvTable table = CsvTable.withOtherColumns(input, REQUIRED, OPTIONAL);
    Map<String, Dimension> dimensions =
        Dimensions.allBut(List.of(ID, ATTRIBUTES, TIME_SHARED), table.header());
    return new CsvReader<>(
        table,
        row ->
            new HostSpec(
                row.field(ID).required(),
                Dimensions.read(row, dimensions),
                row.optional(ATTRIBUTES).map(Attributes::parse).orElse(Map.of()),
                row.optional(TIME_SHARED).map(Field::flag).orElse(false)));
  }
}
