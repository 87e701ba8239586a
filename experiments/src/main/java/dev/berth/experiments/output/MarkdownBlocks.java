package dev.berth.experiments.output;

import com.google.common.base.Splitter;
import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Makes blocks of a page of the little Markdown that notes are written in: headings, paragraphs,
 * lists, tables and fenced text. Emphasis is lost, for text on a page is plain.
 */
public final class MarkdownBlocks {

  private static final String FENCE = "```";
  private static final Splitter CELLS = Splitter.on('|').trimResults();

  private final String id;
  private final List<Block> blocks = new ArrayList<>();
  private String heading = "";
  private int tables;

  /**
   * For one text.
   *
   * @param id of its tables on the page, to which a number is added
   */
  public MarkdownBlocks(String id) {
    this.id = id;
  }

  /** Returns the blocks of a text. */
  public List<Block> of(String markdown) {
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
      blocks.add(Text.of(heading));
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

  /** Joins lines that belong to one item. */
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
            .skip(2) // the names and the rule beneath them
            .map(line -> cells(line).stream().map(Table.Cell::of).toList())
            .toList();
    return new Table(
        "%s-%s".formatted(id, tables), heading.isEmpty() ? "Notes" : heading, columns, rows);
  }

  private static List<String> cells(String line) {
    String inner = line.strip();
    return CELLS
        .splitToStream(inner.substring(1, inner.length() - 1))
        .map(MarkdownBlocks::plain)
        .collect(Collectors.toList());
  }

  private static String plain(String text) {
    return text.replace("**", "").replace("`", "").replaceAll("\\*([^*]+)\\*", "$1");
  }
}
