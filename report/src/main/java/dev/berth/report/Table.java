package dev.berth.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Rows of cells under named columns. Rows may be in groups, each with a title.
 *
 * <p>Text aligns the columns, shows no caption, and indents the rows of a titled group by two
 * blanks. A page shows the title above the rows. Markdown puts it in front of the first cell. JSON
 * has an object for each row, with a field for each column that has a value. Tables with few
 * columns are written in place by {@link #of}, others by a {@link #builder}.
 *
 * @param id names it in links, files and JSON; small letters, digits and '-', unique in the
 *     document
 * @param caption what it shows; not blank
 * @param columns not empty, with different keys
 * @param groups the rows; an untitled group other than the first is set off by a blank line in text
 */
public record Table(String id, String caption, List<Column> columns, List<Group> groups)
    implements Block {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no column, two have the same key, or a row has
   *     another number of cells
   */
  public Table {
    Checks.id(id);
    Checks.notBlank("caption of " + id, caption);
    columns = List.copyOf(columns);
    groups = List.copyOf(groups);
    Checks.notEmpty("columns of " + id, columns);
    Checks.unique("columns of " + id, columns, Column::key);
    int row = 0;
    for (Group group : groups) {
      for (List<Cell> cells : group.rows()) {
        if (cells.size() != columns.size()) {
          throw new IllegalArgumentException(
              "Row %d of %s had %d cells, must have %d as there are columns."
                  .formatted(row, id, cells.size(), columns.size()));
        }
        row++;
      }
    }
  }

  /** Returns a builder of a table without columns and rows. */
  public static Builder builder(String id, String caption) {
    return new Builder(id, caption);
  }

  /** Returns a table without groups. */
  public static Table of(String id, String caption, List<Column> columns, List<List<Cell>> rows) {
    return new Table(id, caption, columns, List.of(new Group("", rows)));
  }

  /**
   * Returns the rows of all groups, in order. The first cell of a row in a titled group begins with
   * the title, as in {@code "gold: mean"}, and has no blanks around it.
   */
  public List<List<Cell>> rows() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Group group : groups) {
      String prefix = group.title().isBlank() ? "" : group.title() + ": ";
      for (List<Cell> row : group.rows()) {
        List<Cell> cells = new ArrayList<>(row);
        cells.set(0, row.get(0).withText(prefix + row.get(0).text().strip()));
        rows.add(List.copyOf(cells));
      }
    }
    return rows;
  }

  /**
   * Rows that belong together.
   *
   * @param title empty for none
   * @param rows each with one cell for each column
   */
  public record Group(String title, List<List<Cell>> rows) {

    /** Copies the lists. */
    public Group {
      rows = rows.stream().map(List::copyOf).toList();
    }
  }

  /** The side of a column at which its texts are aligned. */
  public enum Alignment {
    /** Where a line begins: words. */
    START,
    /** Where a line ends: numbers. */
    END
  }

  /**
   * A column.
   *
   * @param key names it in JSON, such as {@code meanTurnaround}; not blank
   * @param heading stands above the name; adjacent columns with the same heading share it. Empty
   *     for none
   * @param name shown above the cells; may be empty, then people see the key except in text. A line
   *     break splits it into two lines in text; leading blanks widen the column in text
   * @param unit of the numbers, such as {@code s}; may be empty. Text does not show it
   * @param alignment of the texts
   * @param gap blanks in front of it in text; of no effect in the first column
   */
  public record Column(
      String key, String heading, String name, String unit, Alignment alignment, int gap) {

    private static final int GAP = 2;

    /**
     * Checks key and gap.
     *
     * @throws IllegalArgumentException if the key is blank or the gap is negative
     */
    public Column {
      Checks.notBlank("key of column '%s'".formatted(name), key);
      Checks.notNegative("gap of column '%s'".formatted(name), (double) gap);
    }

    /**
     * Returns a column of words. Its key is made of the name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static Column ofText(String name) {
      return new Column(keyOf(name), "", name, "", Alignment.START, GAP);
    }

    /** Returns a column of numbers without a unit. Its key is made of the name. */
    public static Column ofNumbers(String name) {
      return ofNumbers(name, "");
    }

    /**
     * Returns a column of numbers. Its key is made of the name.
     *
     * @param unit may be empty
     * @throws IllegalArgumentException if the name is blank
     */
    public static Column ofNumbers(String name, String unit) {
      return new Column(keyOf(name), "", name, unit, Alignment.END, GAP);
    }

    /** Returns a column of words that text shows without a name. */
    public static Column unnamed(String key) {
      return new Column(key, "", "", "", Alignment.START, GAP);
    }

    /** Returns the column with a heading above its name. A key made of the name includes it. */
    public Column withHeading(String above) {
      String made = key.equals(keyOf(name)) ? keyOf(above + " " + name) : key;
      return new Column(made, above, name, unit, alignment, gap);
    }

    /** Returns the column with another key. */
    public Column withKey(String other) {
      return new Column(other, heading, name, unit, alignment, gap);
    }

    /** Returns the column with so many blanks in front of it in text. */
    public Column withGap(int blanks) {
      return new Column(key, heading, name, unit, alignment, blanks);
    }

    /** Returns the column aligned at that side. */
    public Column alignedAt(Alignment side) {
      return new Column(key, heading, name, unit, side, gap);
    }

    /** Returns heading and name in one line; the key if both are empty. */
    public String fullName() {
      String joined = name.replaceAll("-\\n\\s*", "-").replaceAll("\\s+", " ").strip();
      if (heading.isEmpty()) {
        return joined.isEmpty() ? key : joined;
      }
      return joined.isEmpty() ? heading : heading + ", " + joined;
    }

    /** Returns the words of a name in camel case, or the name if it has no letter and digit. */
    private static String keyOf(String name) {
      String words =
          Arrays.stream(name.split("[^A-Za-z0-9]+", -1))
              .filter(word -> !word.isEmpty())
              .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
              .collect(Collectors.joining());
      return words.isEmpty()
          ? name
          : words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
    }
  }

  /**
   * The content of one row and column.
   *
   * @param text as shown; may be empty. In the first column leading blanks indent it in text
   * @param number the value that the text shows, for sorting and for JSON; finite, empty if there
   *     is none
   * @param uncertainty half the width of the number's confidence interval; not negative
   * @param best whether it is starred as the best of those it competes with
   */
  public record Cell(String text, OptionalDouble number, OptionalDouble uncertainty, boolean best) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is not finite, or there is an uncertainty without a
     *     number
     */
    public Cell {
      Checks.finite("number", number);
      uncertainty.ifPresent(half -> Checks.notNegative("uncertainty", half));
      if (uncertainty.isPresent() && number.isEmpty()) {
        throw new IllegalArgumentException(
            "uncertainty was %s without a number.".formatted(uncertainty.getAsDouble()));
      }
    }

    /** Returns words. */
    public static Cell of(String text) {
      return new Cell(text, OptionalDouble.empty(), OptionalDouble.empty(), false);
    }

    /** Returns a number that is shown in words of its own, such as {@code "≈2400"}. */
    public static Cell of(String text, double number) {
      return new Cell(text, OptionalDouble.of(number), OptionalDouble.empty(), false);
    }

    /** Returns a number with so many decimals and thousands separated: {@code "1,234.5"}. */
    public static Cell of(double number, int decimals) {
      return of(Numbers.grouped(number, decimals), number);
    }

    /** Returns a number and half the width of its confidence interval, thousands separated. */
    public static Cell of(double number, double uncertainty, int decimals) {
      return new Cell(
          Numbers.grouped(number, decimals) + " ±" + Numbers.grouped(uncertainty, decimals),
          OptionalDouble.of(number),
          OptionalDouble.of(uncertainty),
          false);
    }

    /** Returns a number with so many decimals: {@code "1234.5"}. */
    public static Cell number(double number, int decimals) {
      return of(Numbers.fixed(number, decimals), number);
    }

    /** Returns a number with so many decimals, or {@link #absent()}. */
    public static Cell number(OptionalDouble number, int decimals) {
      return number.isPresent() ? number(number.getAsDouble(), decimals) : absent();
    }

    /** Returns a whole number: {@code "1234"}. */
    public static Cell count(long count) {
      return of(Long.toString(count), (double) count);
    }

    /** Returns a whole number, or {@link #absent()}. */
    public static Cell count(OptionalLong count) {
      return count.isPresent() ? count(count.getAsLong()) : absent();
    }

    /**
     * Returns a mean with so many decimals and half the width of its confidence interval: {@code
     * "90.7 ±0.2"}; the mean alone if the interval is undefined.
     */
    public static Cell estimate(double mean, OptionalDouble halfWidth, int decimals) {
      return new Cell(
          Numbers.estimate(mean, halfWidth, decimals), OptionalDouble.of(mean), halfWidth, false);
    }

    /** Returns a cell whose value is undefined or unknown: {@link Numbers#ABSENT}. */
    public static Cell absent() {
      return of(Numbers.ABSENT);
    }

    /** Returns the cell starred as the best. */
    public Cell asBest() {
      return new Cell(text, number, uncertainty, true);
    }

    /** Returns the same value, shown in other words. */
    public Cell withText(String words) {
      return new Cell(words, number, uncertainty, best);
    }

    /** Returns whether the value is undefined or unknown. */
    public boolean isAbsent() {
      return number.isEmpty() && (text.isBlank() || text.equals(Numbers.ABSENT));
    }
  }

  /** Collects columns and rows. Not thread-safe. */
  public static final class Builder {

    private final String id;
    private final String caption;
    private final List<Column> columns = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private String title = "";
    private List<List<Cell>> rows = new ArrayList<>();

    private Builder(String id, String caption) {
      this.id = id;
      this.caption = caption;
    }

    /** Adds a column. */
    public Builder column(Column column) {
      columns.add(column);
      return this;
    }

    /** Begins a group of rows; with an empty title, text sets it off by a blank line. */
    public Builder group(String name) {
      if (!rows.isEmpty() || !title.isEmpty()) {
        groups.add(new Group(title, rows));
      }
      title = name;
      rows = new ArrayList<>();
      return this;
    }

    /** Adds a row with a cell for each column to the present group. */
    public Builder row(Cell... cells) {
      return row(List.of(cells));
    }

    /** Adds a row with a cell for each column to the present group. */
    public Builder row(List<Cell> cells) {
      rows.add(List.copyOf(cells));
      return this;
    }

    /**
     * Returns the table.
     *
     * @throws IllegalArgumentException for the reasons of {@link Table}
     */
    public Table build() {
      List<Group> all = new ArrayList<>(groups);
      all.add(new Group(title, rows));
      return new Table(id, caption, columns, all);
    }
  }
}
