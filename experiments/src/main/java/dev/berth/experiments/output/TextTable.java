package dev.berth.experiments.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Text in columns: the first to the left, all others to the right, each as wide as its widest cell.
 *
 * <p>Lines across the table, such as headings, take no part in the widths. No line ends in blanks.
 */
public final class TextTable {

  /** A heading over some adjacent columns; over one, it counts as a cell. */
  public record Heading(String text, int columns) {}

  private sealed interface Line {}

  private record Cells(List<String> cells) implements Line {}

  private record Headings(List<Heading> headings) implements Line {}

  private record Across(String text) implements Line {}

  private final List<Integer> gaps;
  private final List<Line> lines = new ArrayList<>();

  /**
   * A table without lines.
   *
   * @param gaps blanks in front of each column but the first
   */
  public TextTable(Integer... gaps) {
    this.gaps = List.of(gaps);
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column
   */
  public void row(List<String> cells) {
    requireColumns(cells.size());
    lines.add(new Cells(List.copyOf(cells)));
  }

  /**
   * Adds a row of headings.
   *
   * @param headings that cover all columns
   */
  public void headings(List<Heading> headings) {
    requireColumns(headings.stream().mapToInt(Heading::columns).sum());
    lines.add(new Headings(List.copyOf(headings)));
  }

  /** Adds a line across all columns. */
  public void across(String text) {
    lines.add(new Across(text));
  }

  private void requireColumns(int count) {
    if (count != gaps.size() + 1) {
      throw new IllegalArgumentException(
          "%s cells for %s columns.".formatted(count, gaps.size() + 1));
    }
  }

  /** Returns the lines, each without its end. */
  public List<String> render() {
    int[] widths = widths();
    List<String> rendered = new ArrayList<>();
    for (Line line : lines) {
      String text;
      if (line instanceof Cells row) {
        text = render(row.cells().stream().map(cell -> new Heading(cell, 1)).toList(), widths);
      } else if (line instanceof Headings headings) {
        text = render(headings.headings(), widths);
      } else {
        text = ((Across) line).text();
      }
      rendered.add(text.stripTrailing());
    }
    return rendered;
  }

  private int[] widths() {
    int[] widths = new int[gaps.size() + 1];
    for (Line line : lines) {
      if (line instanceof Cells row) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], length(row.cells().get(i)));
        }
      } else if (line instanceof Headings headings) {
        int column = 0;
        for (Heading heading : headings.headings()) {
          if (heading.columns() == 1) {
            widths[column] = Math.max(widths[column], length(heading.text()));
          }
          column += heading.columns();
        }
      }
    }
    return widths;
  }

  private String render(List<Heading> headings, int[] widths) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (Heading heading : headings) {
      int width = widths[column];
      for (int next = column + 1; next < column + heading.columns(); next++) {
        width += gaps.get(next - 1) + widths[next];
      }
      text.append(column == 0 ? "" : " ".repeat(gaps.get(column - 1)));
      text.append(
          heading.columns() > 1 ? ruled(heading.text(), width) : aligned(heading, column, width));
      column += heading.columns();
    }
    return text.toString();
  }

  private static String aligned(Heading cell, int column, int width) {
    String padding = " ".repeat(Math.max(0, width - length(cell.text())));
    return column == 0 ? cell.text() + padding : padding + cell.text();
  }

  /** Returns a heading between rules that show how far it reaches. */
  private static String ruled(String text, int width) {
    String words = text.isEmpty() ? "" : " " + text + " ";
    int rules = Math.max(0, width - length(words));
    return "-".repeat(rules / 2) + words + "-".repeat(rules - rules / 2);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
