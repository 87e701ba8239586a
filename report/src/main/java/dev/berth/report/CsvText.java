package dev.berth.report;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A table of comma-separated values that grows row by row. Not thread-safe.
 *
 * <p>Numbers of type {@link Double} have three decimals. Values with commas, quotes or line breaks
 * are quoted. A text that a spreadsheet would take for a formula, as it starts with {@code =},
 * {@code +}, {@code -}, {@code @} or a control character and is no number, gets a {@code '} in
 * front.
 */
public final class CsvText {

  private static final Pattern QUOTED = Pattern.compile("[,;\"\n\r\t]");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?[0-9]{1,400}(?:\\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,4})?");

  /** With the wide forms that spreadsheets read like the others. */
  private static final String FORMULA_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

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
    this(name, header.length);
    row((Object[]) header);
  }

  private CsvText(String name, int columns) {
    this.name = name;
    this.columns = columns;
  }

  /**
   * Returns a table with the text that {@link #toString} returned.
   *
   * @param name of its file, without the ending
   * @throws IllegalArgumentException if the text has no header
   */
  public static CsvText parse(String name, String text) {
    int end = text.indexOf('\n');
    Checks.refuseIf(end < 0, "%s has no header.", name);
    CsvText table = new CsvText(name, columns(text.substring(0, end)));
    table.text.append(text);
    return table;
  }

  private static int columns(String header) {
    boolean quoted = false;
    int columns = 1;
    for (int i = 0; i < header.length(); i++) {
      quoted ^= header.charAt(i) == '"';
      columns += header.charAt(i) == ',' && !quoted ? 1 : 0;
    }
    return columns;
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
    text.append(line(Arrays.asList(values))).append('\n');
  }

  /**
   * Returns a row of a table that is written line by line, by the same rules.
   *
   * @param values one for each column
   * @return the row without the end of its line
   */
  public static String line(List<?> values) {
    return values.stream().map(CsvText::cell).collect(Collectors.joining(","));
  }

  private static String cell(Object value) {
    if (value instanceof OptionalDouble number) { // an undefined figure leaves its cell empty
      return number.isPresent() ? Numbers.fixed(number, 3) : "";
    }
    String plain = value instanceof Double number ? Numbers.fixed(number, 3) : value.toString();
    String safe = isFormula(plain) ? "'" + plain : plain;
    return QUOTED.matcher(safe).find() ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }

  /** Returns whether a spreadsheet could compute a text instead of showing it. */
  private static boolean isFormula(String text) {
    return !text.isEmpty()
        && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0
        && !NUMBER.matcher(text).matches();
  }

  /** Returns header and rows. */
  @Override
  public String toString() {
    return text.toString();
  }
}
