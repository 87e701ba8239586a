package dev.berth.experiments.output;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A table as comma-separated values; grows row by row. */
public final class CsvText {

  private final String name;
  private final int columns;
  private final StringBuilder text = new StringBuilder();

  /**
   * A table without rows.
   *
   * @param name of its file, without the ending
   * @param header names of the columns
   */
  public CsvText(String name, String... header) {
    this.name = name;
    this.columns = header.length;
    row((Object[]) header);
  }

  /** Returns the name of its file, without the ending. */
  public String name() {
    return name;
  }

  /** Adds a row, one value for each column. */
  public void row(Object... values) {
    if (values.length != columns) {
      throw new IllegalArgumentException(
          "%s values for %s columns.".formatted(values.length, columns));
    }
    text.append(Arrays.stream(values).map(CsvText::cell).collect(Collectors.joining(",")))
        .append('\n');
  }

  private static String cell(Object value) {
    if (value instanceof OptionalDouble number) { // an undefined figure leaves its cell empty
      return number.isPresent() ? Numbers.share(number, 3) : "";
    }
    String plain = value instanceof Double number ? Numbers.share(number, 3) : value.toString();
    boolean needsQuotes = plain.contains(",") || plain.contains("\"") || plain.contains("\n");
    return needsQuotes ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
