package dev.berth.traces.format.openb;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Infrastructures of Alibaba's GPU cluster trace of 2023, {@code openb_node_list_*.csv}. Hosts have
 * the dimension {@code gpu}, in whole GPUs. Hosts with GPUs have the attribute {@code model}. In a
 * file without these columns, hosts have neither.
 */
public final class OpenbInfrastructureFormat extends DeclaredFormat
    implements InfrastructureFormat {

  static final String FORMAT = "alibaba-openb";
  static final String CPU = "cpu_milli";
  static final String MEMORY = "memory_mib";

  private static final String ID = "sn";
  private static final String GPUS = "gpu";
  private static final long UNITS_PER_MILLI = Dimension.CPU.unitsPerWhole() / 1_000;
  private static final long MIB = 1 << 20;
  private static final long MOST = 1L << 40;

  public OpenbInfrastructureFormat() {
    super(
        FORMAT,
        "Alibaba's GPU cluster trace of 2023: openb_node_list",
        firstLine(line -> line.startsWith("sn,cpu_milli,")));
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    return Entries.ofRows(
        CsvTable.with(input, List.of(ID, CPU, MEMORY), List.of(GPUS, OpenbWorkloadFormat.MODEL)),
        row -> {
          Optional<Field> model = row.optional(OpenbWorkloadFormat.MODEL);
          return new HostSpec(
              row.field(ID).required(),
              Resources.builder()
                  .put(Dimension.CPU, cores(row.field(CPU)))
                  .put(Dimension.MEMORY, memory(row.field(MEMORY)))
                  .put(OpenbWorkloadFormat.GPU, gpus(row))
                  .build(),
              model
                  .map(field -> Map.of(OpenbWorkloadFormat.MODEL, field.required()))
                  .orElse(Map.of()));
        });
  }

  /** Returns the number of GPUs in units; 0 if the file lacks the column. */
  private static long gpus(CsvTable.Row row) {
    return row.columns().containsKey(GPUS) ? row.field(GPUS).units(OpenbWorkloadFormat.GPU) : 0;
  }

  /** Returns thousandths of cores in units of {@link Dimension#CPU}. */
  static long cores(Field milli) {
    return milli.wholeLong(0, MOST) * UNITS_PER_MILLI;
  }

  /** Returns mebibytes in bytes. */
  static long memory(Field mebibytes) {
    return mebibytes.wholeLong(0, MOST) * MIB;
  }
}
