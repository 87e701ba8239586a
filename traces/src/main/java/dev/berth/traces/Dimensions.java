package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The columns of a table that hold amounts of resources. */
final class Dimensions {

  static final String CPU = "cpu";
  static final String MEMORY = "memory";

  /**
   * Of dimensions that Berth has no scale for: fine enough for shares of a GPU, coarse enough for
   * terabytes in bytes.
   */
  private static final long UNITS_PER_WHOLE = 1_000_000;

  private Dimensions() {}

  /** Returns the dimensions that a header names, by name, given the columns that are none. */
  static Map<String, Dimension> allBut(Collection<String> others, List<String> header) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (String column : header) {
      if (!others.contains(column)) {
        dimensions.put(column, of(column));
      }
    }
    return dimensions;
  }

  /** Returns the amounts in a row. */
  static Resources read(CsvTable.Row row, Map<String, Dimension> dimensions) {
    Resources.Builder amounts = Resources.builder();
    dimensions.forEach(
        (column, dimension) -> amounts.put(dimension, row.field(column).units(dimension)));
    return amounts.build();
  }

  /** Returns the dimension of a name as files count it. */
  static Dimension of(String name) {
    return switch (name) {
      case CPU -> Dimension.CPU;
      case MEMORY -> Dimension.MEMORY;
      default -> new Dimension(name, UNITS_PER_WHOLE);
    };
  }
}
