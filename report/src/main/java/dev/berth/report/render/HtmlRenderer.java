package dev.berth.report.render;

import dev.berth.report.Attachment;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Facts;
import dev.berth.report.Folded;
import dev.berth.report.Grid;
import dev.berth.report.Heading;
import dev.berth.report.MarkdownText;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Preformatted;
import dev.berth.report.Section;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Renders documents as one HTML file, which holds all it needs: style, script, charting library,
 * data and attachments. The page opens from disk and may not fetch anything.
 *
 * <p>A page offers the data of each table and chart as CSV and JSON. All of it is in the element
 * {@code data} of the page, from which its script draws. The figure of a chart has the attribute
 * {@code data-drawn} once it is drawn, and {@code window.__berth.held(id)} returns the numbers that
 * the charting library holds, so that a test can compare.
 */
public final class HtmlRenderer implements Renderer {

  private static final String LIBRARY =
      "/META-INF/resources/_static/echarts/5.6.0/dist/echarts.min.js";

  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  /** Creates a renderer. */
  public HtmlRenderer() {}

  /** Returns the page, to be saved as UTF-8. */
  @Override
  public String render(Document page) {
    String library = resource(LIBRARY);
    String script = resource("page.js");
    return fill(
        resource("page.html"),
        Map.of(
            "scripts", hash(library) + " " + hash(script),
            "title", escape(page.title()),
            "subtitle", paragraph("subtitle", page.subtitle()),
            "contents", contents(page),
            "downloads", downloads(page),
            "sections", sections(page),
            "style", resource("page.css"),
            "data", PageData.of(page),
            "library", library,
            "script", script));
  }

  /** Fills the places of a template, and looks for none in what it fills in. */
  private static String fill(String template, Map<String, String> values) {
    Matcher places = PLACE.matcher(template);
    StringBuilder filled = new StringBuilder();
    while (places.find()) {
      places.appendReplacement(filled, "");
      filled.append(values.get(places.group(1)));
    }
    return places.appendTail(filled).toString();
  }

  private static String contents(Document page) {
    StringBuilder html = new StringBuilder();
    for (Section section : page.sections()) {
      if (!section.title().isEmpty()) {
        html.append("<li><a href=\"#%s\" dir=\"auto\">".formatted(section.id()))
            .append(escape(section.title()))
            .append("</a></li>\n");
      }
    }
    return html.isEmpty() ? "" : "<nav aria-label=\"Contents\"><ol>\n" + html + "</ol></nav>";
  }

  private static String downloads(Document page) {
    List<Attachment> attachments = page.attachments();
    if (attachments.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<p class=\"downloads\">Save: ");
    for (int i = 0; i < attachments.size(); i++) {
      html.append("<a class=\"download\" data-download=\"%d\">".formatted(i))
          .append(escape(attachments.get(i).name()))
          .append("</a> ");
    }
    return html.append("</p>").toString();
  }

  private static String sections(Document page) {
    StringBuilder html = new StringBuilder();
    for (Section section : page.sections()) {
      if (section.title().isEmpty()) {
        html.append("<section id=\"%s\">\n".formatted(section.id()));
      } else {
        html.append("<section aria-labelledby=\"%s\">\n".formatted(section.id()))
            .append("<h2 id=\"%s\" dir=\"auto\">".formatted(section.id()))
            .append(escape(section.title()))
            .append("</h2>\n");
      }
      section.blocks().forEach(block -> block(html, block));
      html.append("</section>\n");
    }
    return html.toString();
  }

  private static void block(StringBuilder html, Block block) {
    if (block instanceof OnlyFor some) {
      if (some.media().contains(Medium.HTML)) {
        some.blocks().forEach(each -> block(html, each));
      }
    } else if (block instanceof Folded folded) {
      html.append("<details class=\"folded\"><summary dir=\"auto\">")
          .append(escape(folded.summary()))
          .append("</summary>\n");
      folded.blocks().forEach(each -> block(html, each));
      html.append("</details>\n");
    } else if (block instanceof Stack stack) {
      stack.blocks().forEach(each -> block(html, each));
    } else if (block instanceof MarkdownText markdown) {
      markdown.blocks().forEach(each -> block(html, each));
    } else if (block instanceof Heading heading) {
      html.append("<h3 dir=\"auto\">").append(escape(heading.text())).append("</h3>\n");
    } else if (block instanceof Text text) {
      text(html, text);
    } else if (block instanceof Facts facts) {
      facts(html, facts);
    } else if (block instanceof Table table) {
      table(html, table);
    } else if (block instanceof Chart chart) {
      chart(html, chart);
    } else if (block instanceof Grid grid) {
      html.append("<div class=\"grid\" data-columns=\"%d\">\n".formatted(grid.columns()));
      grid.charts().forEach(chart -> chart(html, chart));
      html.append("</div>\n");
    } else if (block instanceof Details details) {
      // The line break after <pre> is not part of the text.
      html.append("<details><summary dir=\"auto\">")
          .append(escape(details.summary()))
          .append("</summary><pre tabindex=\"0\">\n")
          .append(escape(details.text()))
          .append("</pre></details>\n");
    } else if (block instanceof Preformatted preformatted) {
      html.append("<pre tabindex=\"0\">\n").append(escape(preformatted.text())).append("</pre>\n");
    }
  }

  private static void facts(StringBuilder html, Facts facts) {
    html.append("<dl class=\"facts\">\n");
    for (Facts.Fact fact : facts.facts()) {
      html.append("<dt dir=\"auto\">")
          .append(escape(fact.label()))
          .append("</dt><dd dir=\"auto\">")
          .append(escape(fact.value().text()))
          .append("</dd>\n");
    }
    html.append("</dl>\n");
  }

  private static void text(StringBuilder html, Text text) {
    if (text.bullets()) {
      html.append("<ul class=\"text\">\n");
      text.lines()
          .forEach(line -> html.append("<li dir=\"auto\">").append(escape(line)).append("</li>\n"));
      html.append("</ul>\n");
    } else {
      text.lines().forEach(line -> html.append(paragraph("text", line)).append('\n'));
    }
  }

  private static String paragraph(String style, String text) {
    return text.isEmpty()
        ? ""
        : "<p class=\"%s\" dir=\"auto\">".formatted(style) + escape(text) + "</p>";
  }

  private static void table(StringBuilder html, Table table) {
    String id = table.id();
    html.append("<figure class=\"table\" id=\"%s\">\n".formatted(id))
        .append("<figcaption id=\"%s-caption\" dir=\"auto\">".formatted(id))
        .append(escape(table.caption()))
        .append("</figcaption>\n")
        .append("<p class=\"hint\" hidden>Scroll the table sideways for more columns →</p>\n")
        .append("<div class=\"scroll\" tabindex=\"0\" role=\"region\"")
        .append(" aria-labelledby=\"%s-caption\">\n".formatted(id))
        .append("<table aria-labelledby=\"%s-caption\"><thead><tr>".formatted(id));
    for (Table.Column column : table.columns()) {
      html.append("<th scope=\"col\" class=\"%s\"><button type=\"button\">".formatted(side(column)))
          .append("<bdi>%s</bdi>".formatted(escape(column.fullName())));
      if (!column.unit().isEmpty()) {
        html.append(" <span class=\"unit\">").append(escape(column.unit())).append("</span>");
      }
      html.append("</button></th>");
    }
    html.append("</tr></thead>\n");
    for (Table.Group group : table.groups()) {
      rows(html, table.columns(), group);
    }
    html.append("</table></div>\n<p class=\"save\"></p></figure>\n");
  }

  /** Appends the rows of a group, below its title. */
  private static void rows(StringBuilder html, List<Table.Column> columns, Table.Group group) {
    html.append("<tbody>\n");
    if (!group.title().isBlank()) {
      html.append(
              "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"%d\">"
                  .formatted(columns.size()))
          .append(
              "<span><bdi>%s</bdi></span></th></tr>\n".formatted(escape(group.title().strip())));
    }
    for (List<Table.Cell> row : group.rows()) {
      html.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        Table.Cell cell = row.get(i);
        boolean head = i == 0 && columns.get(i).alignment() == Table.Alignment.START;
        html.append(head ? "<th scope=\"row\"" : "<td")
            .append(" class=\"%s%s\">".formatted(side(columns.get(i)), best(cell)))
            .append(cell.best() ? "<span role=\"img\" aria-label=\"best\">★</span> " : "")
            .append("<bdi>%s</bdi>".formatted(escape(cell.text().strip())))
            .append(head ? "</th>" : "</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody>\n");
  }

  private static String side(Table.Column column) {
    return column.alignment() == Table.Alignment.END ? "end" : "start";
  }

  private static String best(Table.Cell cell) {
    return cell.best() ? " best" : "";
  }

  private static void chart(StringBuilder html, Chart chart) {
    String id = chart.id();
    html.append(
            "<figure class=\"chart\" id=\"%s\" aria-labelledby=\"%s-title\">\n".formatted(id, id))
        .append("<h3 id=\"%s-title\" dir=\"auto\">".formatted(id))
        .append(escape(chart.title()))
        .append("</h3>\n<div class=\"legend\"></div>\n<div class=\"above\"></div>\n")
        .append("<div class=\"plot\" role=\"img\" aria-label=\"")
        .append(escape(chart.title() + ": " + chart.description()))
        .append("\"></div>\n<div class=\"below\"></div>\n<figcaption dir=\"auto\">")
        .append(escape(chart.description()))
        .append("</figcaption>\n<p class=\"save\"></p></figure>\n");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** How a page says that it may run a script: by the hash of its text. */
  static String hash(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256.", e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = HtmlRenderer.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("%s is not on the class path.".formatted(name));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
