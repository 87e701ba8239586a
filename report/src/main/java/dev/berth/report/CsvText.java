package dev.berth.report;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A table of comma-separated values that grows row by row. Not thread-safe.
 *
 * <p>Numbers of type {@link Double} have three decimals. Values with commas, quotes or line breaks
 * are quoted.
 */
public final class CsvText {

  private final String name;
  private final int columns;
  private final StringBuilder text = new StringBuilder();

  /**
   * Creates a table without rows.
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

  /**
   * Adds a row.
   *
   * @param values one for each column
   * @throws IllegalArgumentException if there are more or fewer values than columns
   */
  public void row(Object... values) {
    if (values.length != columns) {
      throw new IllegalArgumentException(
          "A row of %s had %s values, must have %s as there are columns."
              .formatted(name, values.length, columns));
    }
    text.append(Arrays.stream(values).map(CsvText::cell).collect(Collectors.joining(",")))
        .append('\n');
  }

  private static String cell(Object value) {
    if (value instanceof OptionalDouble number) { // an undefined figure leaves its cell empty
      return number.isPresent() ? Numbers.fixed(number, 3) : "";
    }
    String plain = value instanceof Double number ? Numbers.fixed(number, 3) : value.toString();
    boolean needsQuotes = plain.contains(",") || plain.contains("\"") || plain.contains("\n");
    return needsQuotes ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
  }

  /** Returns the file as an attachment that stands beside a page. */
  public Attachment toAttachment() {
    return Attachment.beside(name + ".csv", "text/csv", toString());
  }

  /** Returns header and rows. */
  @Override
  public String toString() {
    return text.toString();
  }
}
