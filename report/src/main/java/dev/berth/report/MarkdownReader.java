package dev.berth.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a subset of Markdown into blocks: headings, paragraphs, lists, tables and fenced text, each
 * set off by blank lines. Emphasis is dropped because text blocks are plain.
 */
final class MarkdownReader {

  private static final String FENCE = "```";

  private final String id;
  private final List<Block> blocks = new ArrayList<>();
  private String heading = "";
  private int tables;

  /**
   * Creates a reader for one text.
   *
   * @param id prefix for the ids of its tables, to which a number is added
   */
  MarkdownReader(String id) {
    this.id = id;
  }

  /** Returns the blocks of a text. */
  List<Block> read(String markdown) {
    List<String> part = new ArrayList<>();
    boolean fenced = false;
    for (String line : markdown.lines().toList()) {
      if (line.startsWith(FENCE)) {
        fenced = !fenced;
        part.add(line);
      } else if (line.isBlank() && !fenced) {
        add(part);
        part.clear();
      } else {
        part.add(line);
      }
    }
    add(part);
    return blocks;
  }

  private void add(List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    String first = lines.get(0);
    if (first.startsWith("#")) {
      heading = plain(first.replaceFirst("#+ *", ""));
      blocks.add(new Heading(heading));
    } else if (first.startsWith(FENCE)) {
      String inside = String.join("\n", lines.subList(1, lines.size() - 1));
      blocks.add(new Details(inside.lines().findFirst().orElse(FENCE), inside));
    } else if (first.startsWith("|")) {
      blocks.add(table(lines));
    } else if (first.startsWith("- ")) {
      blocks.add(new Text(true, items(lines)));
    } else {
      blocks.add(Text.of(plain(String.join(" ", lines))));
    }
  }

  /** Joins the lines of each item. */
  private static List<String> items(List<String> lines) {
    List<String> items = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("- ")) {
        items.add(plain(line.substring(2)));
      } else {
        items.set(items.size() - 1, items.get(items.size() - 1) + " " + plain(line.strip()));
      }
    }
    return items;
  }

  private Table table(List<String> lines) {
    tables++;
    List<Table.Column> columns = cells(lines.get(0)).stream().map(Table.Column::ofText).toList();
    List<List<Table.Cell>> rows =
        lines.stream()
            .skip(2) // the names and the rule below them
            .map(line -> cells(line).stream().map(Table.Cell::of).toList())
            .toList();
    return Table.of(
        "%s-%s".formatted(id, tables), heading.isEmpty() ? "Notes" : heading, columns, rows);
  }

  private static List<String> cells(String line) {
    String inner = line.strip();
    return Arrays.stream(inner.substring(1, inner.length() - 1).split("\\|", -1))
        .map(cell -> plain(cell.strip()))
        .toList();
  }

  private static String plain(String text) {
    return text.replace("**", "").replace("`", "").replaceAll("\\*([^*]+)\\*", "$1");
  }
}
