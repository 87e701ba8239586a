package dev.berth.report.render;

import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Facts;
import dev.berth.report.Heading;
import dev.berth.report.MarkdownText;
import dev.berth.report.Medium;
import dev.berth.report.Preformatted;
import dev.berth.report.Section;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Renders documents as Markdown with the tables of GitHub. Charts are skipped. Links find a section
 * by its id.
 */
public final class MarkdownRenderer implements Renderer {

  private static final Pattern MARKUP = Pattern.compile("[\\\\`*_\\[\\]<>|~]");
  private static final Pattern LINE_MARKUP = Pattern.compile("(?m)^(\\s*)([#+-](?=[\\s#-]|$)|=)");
  private static final Pattern NUMBERING = Pattern.compile("(?m)^(\\s*\\d+)([.)])(?=\\s|$)");
  private static final Pattern FENCE = Pattern.compile("`{3,}");

  /** Creates a renderer. */
  public MarkdownRenderer() {}

  @Override
  public String render(Document document) {
    List<String> parts = new ArrayList<>(List.of("# " + line(document.title())));
    if (!document.subtitle().isEmpty()) {
      parts.add(escape(document.subtitle()));
    }
    document.sections().forEach(section -> parts.addAll(parts(section)));
    return joined(parts);
  }

  /** Returns a section with its heading; its last line has an end. */
  public String render(Section section) {
    return joined(parts(section));
  }

  private static String joined(List<String> parts) {
    return parts.stream()
        .filter(part -> !part.isEmpty())
        .map(part -> part + "\n")
        .collect(Collectors.joining("\n"));
  }

  private static List<String> parts(Section section) {
    List<String> parts = new ArrayList<>();
    if (!section.title().isEmpty()) {
      parts.add("## <a id=\"%s\"></a>%s".formatted(section.id(), line(section.title())));
    }
    for (Block block : section.leaves(Medium.MARKDOWN)) {
      parts.addAll(parts(block));
    }
    return parts;
  }

  private static List<String> parts(Block block) {
    if (block instanceof Heading heading) {
      return List.of("### " + line(heading.text()));
    }
    if (block instanceof Text text && !text.bullets()) {
      return text.lines().stream().map(MarkdownRenderer::escape).toList();
    }
    if (block instanceof Text list) {
      return List.of(items(list.lines()));
    }
    if (block instanceof Facts facts) {
      return List.of(
          items(
              facts.facts().stream()
                  .map(fact -> fact.label() + ": " + fact.value().text())
                  .toList()));
    }
    if (block instanceof Table table) {
      return List.of("**%s**".formatted(line(table.caption())), table(table));
    }
    if (block instanceof Details details) {
      return List.of(
          "<details><summary>%s</summary>".formatted(line(details.summary())),
          fenced("text", details.text()),
          "</details>");
    }
    if (block instanceof Preformatted preformatted) {
      return List.of(fenced(preformatted.language(), preformatted.text()));
    }
    if (block instanceof MarkdownText markdown) {
      return List.of(markdown.source().strip());
    }
    return List.of();
  }

  private static String items(List<String> items) {
    return items.stream().map(item -> "- " + line(item)).collect(Collectors.joining("\n"));
  }

  private static String table(Table table) {
    List<String> lines = new ArrayList<>();
    lines.add(row(table.columns().stream().map(MarkdownRenderer::name).toList()));
    lines.add(
        row(
            table.columns().stream()
                .map(column -> column.alignment() == Table.Alignment.START ? "---" : "---:")
                .toList()));
    for (List<Table.Cell> row : table.rows()) {
      lines.add(row(row.stream().map(MarkdownRenderer::text).toList()));
    }
    return String.join("\n", lines);
  }

  private static String name(Table.Column column) {
    String unit = column.unit().isEmpty() ? "" : " (" + column.unit() + ")";
    return line(column.fullName() + unit);
  }

  private static String text(Table.Cell cell) {
    return (cell.best() ? "★ " : "") + line(cell.text().strip());
  }

  private static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Returns text between fences that are longer than any in it. */
  private static String fenced(String language, String text) {
    int longest = FENCE.matcher(text).results().mapToInt(m -> m.group().length()).max().orElse(2);
    String fence = String.join("", Collections.nCopies(longest + 1, "`"));
    return fence + language + "\n" + text.stripTrailing() + "\n" + fence;
  }

  private static String line(String text) {
    return escape(text.replaceAll("\\s*\n\\s*", " "));
  }

  private static String escape(String text) {
    String plain = MARKUP.matcher(text.replace("&", "&amp;")).replaceAll("\\\\$0");
    String unmarked = LINE_MARKUP.matcher(plain).replaceAll("$1\\\\$2");
    return NUMBERING.matcher(unmarked).replaceAll("$1\\\\$2");
  }
}
