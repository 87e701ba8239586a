package dev.berth.experiments.output;

import dev.berth.experiments.Sample;
import dev.berth.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A table that is shown twice: as lines of text and on a page. The first column are words, all
 * others figures.
 */
public final class FigureTable {

  private final TextTable text;
  private final List<List<Table.Cell>> rows = new ArrayList<>();
  private List<TextTable.Heading> headings = List.of();
  private List<String> names = List.of();
  private String group = "";

  /**
   * A table without rows.
   *
   * @param gaps blanks in front of each column but the first, in the text
   */
  public FigureTable(Integer... gaps) {
    text = new TextTable(gaps);
  }

  /** Adds headings over the columns; before {@link #columns}, and at most once. */
  public void headings(List<TextTable.Heading> above) {
    headings = List.copyOf(above);
    text.headings(above);
  }

  /** Names the columns. */
  public void columns(List<String> all) {
    names = List.copyOf(all);
    text.row(all);
  }

  /** Names the columns in two lines of text; a name is the one and the other together. */
  public void columns(List<String> above, List<String> below) {
    text.row(above);
    text.row(below);
    List<String> joined = new ArrayList<>();
    for (int i = 0; i < below.size(); i++) {
      joined.add(above.get(i) + below.get(i));
    }
    names = List.copyOf(joined);
  }

  /** Begins a group of rows. */
  public void group(String name) {
    group = name + ": ";
    text.across(name);
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column
   */
  public void row(List<Table.Cell> cells) {
    text.row(cells.stream().map(Table.Cell::text).toList());
    List<Table.Cell> row = new ArrayList<>(cells);
    row.set(0, Table.Cell.of(group + cells.get(0).text().strip()));
    rows.add(row);
  }

  /** Adds a line across all columns, to the text only. */
  public void across(String line) {
    text.across(line);
  }

  /** Returns the lines, each without its end. */
  public List<String> lines() {
    return text.render();
  }

  /**
   * Returns the block.
   *
   * @param id of the table on its page
   * @param caption of the table
   * @param first name of the first column
   */
  public Table block(String id, String caption, String first) {
    List<Table.Column> columns = new ArrayList<>();
    columns.add(Table.Column.ofText(first));
    for (int i = 1; i < names.size(); i++) {
      columns.add(Table.Column.ofNumbers(heading(i) + names.get(i).strip(), ""));
    }
    return new Table(id, caption, columns, rows);
  }

  /** Returns what stands over a column, to be put in front of its name. */
  private String heading(int column) {
    int from = 0;
    for (TextTable.Heading each : headings) {
      if (column < from + each.columns()) {
        return each.text().isEmpty() ? "" : each.text() + ", ";
      }
      from += each.columns();
    }
    return "";
  }

  // ---- Cells

  public static Table.Cell words(String words) {
    return Table.Cell.of(words);
  }

  /** Returns a number with so many decimals. */
  public static Table.Cell number(double value, int digits) {
    return figure(Numbers.share(value, digits), value);
  }

  /** Returns a number with so many decimals, or {@link Numbers#NONE}. */
  public static Table.Cell number(OptionalDouble value, int digits) {
    return value.isPresent() ? number(value.getAsDouble(), digits) : Table.Cell.of(Numbers.NONE);
  }

  /** Returns mean and 95 % confidence interval. */
  public static Table.Cell estimate(Sample sample, int digits) {
    return estimate(Numbers.estimate(sample, digits), sample);
  }

  /** Returns mean and 95 % confidence interval, in words of their own. */
  public static Table.Cell estimate(String words, Sample sample) {
    return new Table.Cell(
        words, OptionalDouble.of(sample.mean()), OptionalDouble.of(sample.halfWidth()), false);
  }

  /** Returns a number in words of its own. */
  public static Table.Cell figure(String words, double value) {
    return new Table.Cell(words, OptionalDouble.of(value), OptionalDouble.empty(), false);
  }
}
