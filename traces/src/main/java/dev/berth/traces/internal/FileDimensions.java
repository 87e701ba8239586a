package dev.berth.traces.internal;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The dimensions of resources as files name and count them. */
public final class FileDimensions {

  /** The name of {@link Dimension#CPU} in files. */
  public static final String CPU = "cpu";

  /** The name of {@link Dimension#MEMORY} in files. */
  public static final String MEMORY = "memory";

  /**
   * The scale of all other dimensions: fine enough for shares of a GPU, coarse enough for terabytes
   * in bytes.
   */
  private static final long UNITS_PER_WHOLE = 1_000_000;

  private FileDimensions() {}

  /** Returns the dimensions that a header names, by name, without the other columns. */
  public static Map<String, Dimension> allBut(Collection<String> others, List<String> header) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (String column : header) {
      if (!others.contains(column)) {
        dimensions.put(column, of(column));
      }
    }
    return dimensions;
  }

  /** Returns the amounts in a row. */
  public static Resources read(CsvTable.Row row, Map<String, Dimension> dimensions) {
    Resources.Builder amounts = Resources.builder();
    dimensions.forEach(
        (column, dimension) -> amounts.put(dimension, row.field(column).units(dimension)));
    return amounts.build();
  }

  /** Returns the dimension with a name, with the scale that files use. */
  public static Dimension of(String name) {
    return switch (name) {
      case CPU -> Dimension.CPU;
      case MEMORY -> Dimension.MEMORY;
      default -> new Dimension(name, UNITS_PER_WHOLE);
    };
  }

  /** Returns amounts of CPU and memory that two fields show. */
  public static Resources cpuAndMemory(Field cpu, Field memory) {
    return Resources.of(
        Dimension.CPU, cpu.units(Dimension.CPU), Dimension.MEMORY, memory.units(Dimension.MEMORY));
  }

  /** Returns amounts of CPU and memory, in wholes. */
  public static Resources cpuAndMemory(BigDecimal cpu, BigDecimal memory) {
    return Resources.of(
        Dimension.CPU, Dimension.CPU.units(cpu), Dimension.MEMORY, Dimension.MEMORY.units(memory));
  }
}
