package dev.berth.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes one HTML file of a page, which holds all it needs: style, script, the charting library and
 * the data. It opens from disk, and is not allowed to fetch anything. The same page gives the same
 * bytes.
 */
public final class PageWriter {

  private static final String LIBRARY = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private PageWriter() {}

  /**
   * Writes the page to a file, over what was there.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Page page, Path file) throws IOException {
    Files.write(file, toHtml(page).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the page as HTML, to be saved as UTF-8. */
  public static String toHtml(Page page) {
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
            "data", PageJson.of(page),
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

  private static String contents(Page page) {
    StringBuilder html = new StringBuilder();
    for (Page.Section section : page.sections()) {
      html.append("<li><a href=\"#%s\" dir=\"auto\">".formatted(section.id()))
          .append(escape(section.title()))
          .append("</a></li>\n");
    }
    return html.toString();
  }

  private static String downloads(Page page) {
    if (page.downloads().isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<p class=\"downloads\">Save: ");
    for (int i = 0; i < page.downloads().size(); i++) {
      html.append("<a class=\"download\" data-download=\"%d\">".formatted(i))
          .append(escape(page.downloads().get(i).name()))
          .append("</a> ");
    }
    return html.append("</p>").toString();
  }

  private static String sections(Page page) {
    StringBuilder html = new StringBuilder();
    for (Page.Section section : page.sections()) {
      html.append("<section aria-labelledby=\"%s\">\n".formatted(section.id()))
          .append("<h2 id=\"%s\" dir=\"auto\">".formatted(section.id()))
          .append(escape(section.title()))
          .append("</h2>\n");
      for (Block block : section.blocks()) {
        block(html, block);
      }
      html.append("</section>\n");
    }
    return html.toString();
  }

  private static void block(StringBuilder html, Block block) {
    if (block instanceof Text text) {
      text(html, text);
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
    }
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
        .append("<div class=\"scroll\" tabindex=\"0\" role=\"region\"")
        .append(" aria-labelledby=\"%s-caption\">\n".formatted(id))
        .append("<table aria-labelledby=\"%s-caption\"><thead><tr>".formatted(id));
    for (Table.Column column : table.columns()) {
      html.append("<th scope=\"col\" class=\"%s\"><button type=\"button\">".formatted(side(column)))
          .append("<bdi>%s</bdi>".formatted(escape(column.name())));
      if (!column.unit().isEmpty()) {
        html.append(" <span class=\"unit\">").append(escape(column.unit())).append("</span>");
      }
      html.append("</button></th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<Table.Cell> row : table.rows()) {
      html.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        Table.Cell cell = row.get(i);
        boolean head = i == 0 && table.columns().get(i).alignment() == Table.Alignment.START;
        html.append(head ? "<th scope=\"row\"" : "<td")
            .append(" class=\"%s%s\">".formatted(side(table.columns().get(i)), best(cell)))
            .append(cell.best() ? "<span role=\"img\" aria-label=\"best\">★</span> " : "")
            .append("<bdi>%s</bdi>".formatted(escape(cell.text())))
            .append(head ? "</th>" : "</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n<p class=\"save\"></p></figure>\n");
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
    try (InputStream in = PageWriter.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("%s is not on the class path.".formatted(name));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
