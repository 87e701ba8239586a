package dev.berth.traces.format.csv;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.spi.EntryWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes entries as rows of a table.
 *
 * @param subject what an entry is, for messages
 * @param columns in their order in the table
 */
record CsvRows<T>(Function<T, String> subject, List<Column<T>> columns) implements EntryWriter<T> {

  /**
   * A column.
   *
   * @param name its name in the header
   * @param cell writes the cell of an entry
   */
  record Column<T>(String name, BiFunction<T, FieldWriter, String> cell) {}

  @Override
  public Optional<String> header() {
    return Optional.of(columns.stream().map(Column::name).collect(Collectors.joining(",")));
  }

  @Override
  public String line(T entry) {
    FieldWriter fields = new FieldWriter(subject.apply(entry));
    return columns.stream()
        .map(each -> each.cell.apply(entry, fields))
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the columns of amounts: CPU, memory and others, whose names must not look like those of
   * other columns.
   */
  static <T> List<Column<T>> amounts(
      Collection<Dimension> dimensions, List<String> others, Function<T, Resources> amounts) {
    List<Column<T>> columns = new ArrayList<>();
    columns.add(amount(FileDimensions.CPU, Dimension.CPU, amounts));
    columns.add(amount(FileDimensions.MEMORY, Dimension.MEMORY, amounts));
    for (Dimension each : new TreeSet<>(dimensions)) {
      if (!each.equals(Dimension.CPU) && !each.equals(Dimension.MEMORY)) {
        FieldWriter fields = new FieldWriter("dimension " + each);
        if (CsvTable.misspelled(each.name(), others).isPresent()) {
          throw fields.refused(
              "its name resembles that of a column, which csv cannot represent; jsonl can");
        }
        columns.add(amount(CsvCells.name(fields, "name", each.name()), each, amounts));
      }
    }
    return columns;
  }

  private static <T> Column<T> amount(
      String name, Dimension dimension, Function<T, Resources> amounts) {
    return new Column<>(
        name, (entry, fields) -> fields.amount(dimension, amounts.apply(entry).amount(dimension)));
  }
}
