package dev.berth.report.render;

import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Facts;
import dev.berth.report.Folded;
import dev.berth.report.Heading;
import dev.berth.report.MarkdownText;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Preformatted;
import dev.berth.report.Section;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * Renders documents as lines for a terminal.
 *
 * <p>A blank line separates blocks, except within a {@link Stack}. Items of lists, facts and
 * unfolded details are indented by two blanks. Charts are skipped. Characters that could control
 * the terminal are {@linkplain Printable visible}.
 */
public final class TextRenderer implements Renderer {

  private static final String INDENT = "  ";

  private final int width;
  private final int tableWidth;

  /** Creates a renderer that does not wrap lines. */
  public TextRenderer() {
    this(0, 0);
  }

  private TextRenderer(int width, int tableWidth) {
    this.width = width;
    this.tableWidth = tableWidth;
  }

  /**
   * Returns a renderer that wraps paragraphs and items of lists. Words longer than a line stay
   * whole, and tables are as wide as their cells.
   *
   * @param columns the most a line holds; positive
   * @throws IllegalArgumentException if it is not positive
   */
  public TextRenderer wrappedAt(int columns) {
    return new TextRenderer(positive(columns), tableWidth);
  }

  /**
   * Returns a renderer that folds wide tables: the columns that do not fit follow below, beside the
   * first column again. A table whose first two columns are wider than a line stays wider.
   *
   * @param columns the most a line of a table holds; positive
   * @throws IllegalArgumentException if it is not positive
   */
  public TextRenderer foldedAt(int columns) {
    return new TextRenderer(width, positive(columns));
  }

  private static int positive(int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException("columns was %d, must be positive.".formatted(columns));
    }
    return columns;
  }

  @Override
  public String render(Document document) {
    StringBuilder text = new StringBuilder();
    lines(document).forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** Returns the lines of a document, each without its end: title, subtitle, sections. */
  public List<String> lines(Document document) {
    List<List<String>> parts = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(document.title()));
    if (!document.subtitle().isEmpty()) {
      head.addAll(List.of(document.subtitle().split("\n", -1)));
    }
    parts.add(head);
    document.sections().forEach(section -> add(parts, section));
    return separated(parts);
  }

  /** Returns the lines of a section, each without its end: title and blocks. */
  public List<String> lines(Section section) {
    List<List<String>> parts = new ArrayList<>();
    add(parts, section);
    return separated(parts);
  }

  /** Returns the lines of blocks, each without its end. */
  public List<String> lines(List<Block> blocks) {
    return separated(parts(blocks));
  }

  private void add(List<List<String>> parts, Section section) {
    if (!section.title().isEmpty()) {
      parts.add(List.of(section.title()));
    }
    parts.addAll(parts(section.blocks()));
  }

  /** Returns the lines of all parts that have some, with a blank line between parts. */
  private static List<String> separated(List<List<String>> parts) {
    List<String> lines = new ArrayList<>();
    for (List<String> part : parts) {
      if (!part.isEmpty()) {
        if (!lines.isEmpty()) {
          lines.add("");
        }
        part.forEach(line -> lines.add(Printable.line(line)));
      }
    }
    return lines;
  }

  private List<List<String>> parts(List<Block> blocks) {
    List<List<String>> parts = new ArrayList<>();
    blocks.forEach(block -> parts.addAll(parts(block)));
    return parts;
  }

  private List<List<String>> parts(Block block) {
    if (block instanceof OnlyFor some) {
      return some.media().contains(Medium.TEXT) ? parts(some.blocks()) : List.of();
    }
    if (block instanceof Folded folded) {
      return parts(folded.blocks());
    }
    if (block instanceof Stack stack) {
      return List.of(parts(stack.blocks()).stream().flatMap(List::stream).toList());
    }
    if (block instanceof Text text && !text.bullets()) {
      return text.lines().stream().map(paragraph -> wrapped(paragraph, "", "")).toList();
    }
    if (block instanceof Text list) {
      return List.of(
          list.lines().stream()
              .flatMap(item -> wrapped(item, INDENT, INDENT + INDENT).stream())
              .toList());
    }
    if (block instanceof Heading heading) {
      return List.of(List.of(heading.text()));
    }
    if (block instanceof Table table) {
      return List.of(lines(table));
    }
    if (block instanceof Facts facts) {
      return List.of(facts(facts));
    }
    if (block instanceof Details details) {
      List<String> lines = new ArrayList<>(List.of(details.summary()));
      details.text().lines().forEach(line -> lines.add((INDENT + line).stripTrailing()));
      return List.of(lines);
    }
    if (block instanceof Preformatted preformatted) {
      return List.of(preformatted.text().lines().toList());
    }
    if (block instanceof MarkdownText markdown) {
      return List.of(markdown.source().strip().lines().toList());
    }
    return List.of();
  }

  private List<String> lines(Table table) {
    return tableWidth == 0 ? TextGrid.lines(table) : TextGrid.lines(table, tableWidth);
  }

  private static List<String> facts(Facts facts) {
    List<String> labels = facts.facts().stream().map(fact -> Printable.line(fact.label())).toList();
    int longest = labels.stream().mapToInt(String::length).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      String padding = " ".repeat(longest - labels.get(i).length());
      String value = facts.facts().get(i).value().text();
      lines.add(INDENT + labels.get(i) + padding + INDENT + value);
    }
    return lines;
  }

  /**
   * Returns the lines of a text, wrapped if that is asked for.
   *
   * @param first in front of each line of the text
   * @param rest in front of each line that wrapping adds
   */
  private List<String> wrapped(String text, String first, String rest) {
    List<String> lines = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (width == 0) {
        lines.add((first + line).stripTrailing());
      } else {
        wrap(lines, line, first, rest);
      }
    }
    return lines;
  }

  private void wrap(List<String> lines, String text, String first, String rest) {
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : text.split(" ", -1)) {
      if (!empty && line.length() + 1 + word.length() > width) {
        lines.add(line.toString().stripTrailing());
        line.setLength(0);
        line.append(rest);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString().stripTrailing());
  }
}
