package dev.berth.traces.format.spot;

import dev.berth.api.HostSpec;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Map;

/**
 * Infrastructures of Alibaba's spot GPU trace of 2026, {@code node_info_df.csv}. Hosts have the
 * dimension {@code gpu}, in whole GPUs, and the attribute {@code model}.
 */
public final class SpotInfrastructureFormat extends DeclaredFormat implements InfrastructureFormat {

  private static final String NAME = "node_name";
  private static final String CPUS = "cpu_num";
  private static final String GPUS = "gpu_capacity_num";
  private static final List<String> COLUMNS =
      List.of(NAME, SpotWorkloadFormat.GPU_MODEL, GPUS, CPUS);

  public SpotInfrastructureFormat() {
    super(
        SpotWorkloadFormat.FORMAT,
        "Alibaba's spot GPU trace of 2026: node_info_df",
        firstLine(line -> CsvTable.isHeader(line, COLUMNS)));
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    return Entries.ofRows(
        SpotWorkloadFormat.table(input, COLUMNS),
        row ->
            new HostSpec(
                row.field(NAME).required(),
                SpotWorkloadFormat.amounts(row, CPUS, GPUS),
                SpotWorkloadFormat.known(row, SpotWorkloadFormat.GPU_MODEL)
                    .map(model -> Map.of(SpotWorkloadFormat.MODEL, model.required()))
                    .orElse(Map.of())));
  }
}
