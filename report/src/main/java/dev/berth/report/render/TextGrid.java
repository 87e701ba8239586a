package dev.berth.report.render;

import dev.berth.report.Table;
import dev.berth.report.Table.Alignment;
import dev.berth.report.Table.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Lays a table out in columns, each as wide as its widest cell. Titles of groups do not widen
 * columns, and headings over several columns are drawn between rules. No line ends in blanks.
 *
 * <p>A table that is wider than the lines is folded: several tables follow each other, each with
 * the first column and as many of the others as fit. Columns under one heading stay together if
 * they can.
 */
final class TextGrid {

  private static final String INDENT = "  ";

  /** A text over one or several columns. */
  private record Span(String text, int columns) {

    /** Escapes the text before its width counts. */
    private Span {
      text = Printable.line(text);
    }
  }

  private final List<Column> columns;
  private final int[] widths;
  private final List<String> lines = new ArrayList<>();

  private TextGrid(List<Column> columns) {
    this.columns = columns;
    this.widths = new int[columns.size()];
  }

  /** Returns the lines of a table, each without its end. */
  static List<String> lines(Table table) {
    return new TextGrid(table.columns()).draw(table);
  }

  /**
   * Returns the lines of a table, folded if it is wider, with a blank line between its parts. A
   * part has at least two columns, however wide they are.
   *
   * @param width the most that a line holds
   */
  static List<String> lines(Table table, int width) {
    TextGrid whole = new TextGrid(table.columns());
    whole.measure(table);
    List<String> lines = new ArrayList<>();
    int from = 1;
    do {
      int to = whole.end(from, width);
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(lines(part(table, from, to)));
      from = to;
    } while (from < table.columns().size());
    return lines;
  }

  /** Returns the end of the columns from one on that fit beside the first one. */
  private int end(int from, int width) {
    int end = from;
    int used = widths[0];
    while (end < widths.length) {
      used += columns.get(end).gap() + widths[end];
      if (used > width && end > from) {
        break;
      }
      end++;
    }
    int apart = end;
    while (end < widths.length && apart > from && haveOneHeading(apart - 1, end)) {
      apart--;
    }
    return apart > from ? apart : end;
  }

  private boolean haveOneHeading(int one, int other) {
    String heading = columns.get(one).heading();
    return !heading.isEmpty() && heading.equals(columns.get(other).heading());
  }

  /** Returns the first column and those of a range. */
  private static Table part(Table table, int from, int to) {
    return new Table(
        table.id(),
        table.caption(),
        part(table.columns(), from, to),
        table.groups().stream()
            .map(
                group ->
                    new Table.Group(
                        group.title(),
                        group.rows().stream().map(row -> part(row, from, to)).toList()))
            .toList());
  }

  private static <T> List<T> part(List<T> all, int from, int to) {
    List<T> part = new ArrayList<>(all.subList(0, 1));
    part.addAll(all.subList(Math.min(from, all.size()), to));
    return part;
  }

  private List<List<Span>> measure(Table table) {
    List<List<Span>> header = header();
    header.forEach(this::widen);
    for (Table.Group group : table.groups()) {
      group.rows().forEach(row -> widen(spans(group, row)));
    }
    return header;
  }

  private List<String> draw(Table table) {
    List<List<Span>> header = measure(table);
    header.forEach(this::add);
    boolean first = true;
    for (Table.Group group : table.groups()) {
      if (!group.title().isEmpty() || !first) {
        lines.add(group.title().stripTrailing());
      }
      first = false;
      group.rows().forEach(row -> add(spans(group, row)));
    }
    return lines;
  }

  private static List<Span> spans(Table.Group group, List<Table.Cell> row) {
    List<Span> spans = new ArrayList<>();
    for (Table.Cell cell : row) {
      boolean indented = spans.isEmpty() && !group.title().isEmpty();
      String star = cell.best() ? "★ " : "";
      spans.add(new Span((indented ? INDENT : "") + star + cell.text(), 1));
    }
    return spans;
  }

  // ---- Names of columns

  /** Returns the lines of the header from top to bottom; none if no column has a name. */
  private List<List<Span>> header() {
    boolean headed = columns.stream().anyMatch(each -> !each.heading().isEmpty());
    boolean named = columns.stream().anyMatch(each -> !each.name().isEmpty());
    int height = headed || named ? 1 : 0;
    for (Column column : columns) {
      int nameLines = names(column).size();
      height = Math.max(height, nameLines + (column.heading().isEmpty() ? 0 : 1));
    }
    List<List<Span>> header = new ArrayList<>();
    for (int line = 0; line < height; line++) {
      header.add(headerLine(line, height));
    }
    return headed || named ? header : List.of();
  }

  private List<Span> headerLine(int line, int height) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (line == 0 && !column.heading().isEmpty()) {
        int count = sharing(i);
        spans.add(new Span(column.heading(), count));
        i += count - 1;
      } else {
        List<String> names = names(column);
        int at = line - (height - names.size());
        spans.add(new Span(at < 0 ? "" : names.get(at), 1));
      }
    }
    return spans;
  }

  private static List<String> names(Column column) {
    return column.name().isEmpty()
        ? Collections.emptyList()
        : List.of(column.name().split("\n", -1));
  }

  /** Returns how many columns from one on have its heading. */
  private int sharing(int first) {
    int end = first;
    while (end < columns.size()
        && columns.get(end).heading().equals(columns.get(first).heading())) {
      end++;
    }
    return end - first;
  }

  // ---- Lines

  private void widen(List<Span> spans) {
    int column = 0;
    for (Span span : spans) {
      if (span.columns() == 1) {
        widths[column] = Math.max(widths[column], length(span.text()));
      }
      column += span.columns();
    }
  }

  private void add(List<Span> spans) {
    StringBuilder line = new StringBuilder();
    int column = 0;
    for (Span span : spans) {
      int width = widths[column];
      for (int next = column + 1; next < column + span.columns(); next++) {
        width += columns.get(next).gap() + widths[next];
      }
      line.append(" ".repeat(column == 0 ? 0 : columns.get(column).gap()))
          .append(
              span.columns() > 1 ? ruled(span.text(), width) : aligned(span.text(), column, width));
      column += span.columns();
    }
    lines.add(line.toString().stripTrailing());
  }

  private String aligned(String text, int column, int width) {
    String padding = " ".repeat(Math.max(0, width - length(text)));
    return columns.get(column).alignment() == Alignment.START ? text + padding : padding + text;
  }

  /** Returns a heading between rules that show how far it reaches. */
  private static String ruled(String text, int width) {
    String words = " " + text + " ";
    int rules = Math.max(0, width - length(words));
    return "-".repeat(rules / 2) + words + "-".repeat(rules - rules / 2);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
