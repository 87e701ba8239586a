package dev.berth.report;

import java.util.Arrays;
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
    String safe = isFormula(plain) ? "'" + plain : plain;
    return QUOTED.matcher(safe).find() ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }

  /** Returns whether a spreadsheet could compute a text instead of showing it. */
  private static boolean isFormula(String text) {
    return !text.isEmpty()
        && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0
        && !NUMBER.matcher(text).matches();
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
