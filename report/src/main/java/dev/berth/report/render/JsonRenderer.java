package dev.berth.report.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Facts;
import dev.berth.report.Heading;
import dev.berth.report.Medium;
import dev.berth.report.Preformatted;
import dev.berth.report.Section;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * Renders documents as one JSON object for programs.
 *
 * <pre>{@code
 * {
 *   "title": "...",
 *   "sections": {
 *     "result": {
 *       "text": ["..."],
 *       "facts": {"passes": 12},
 *       "tables": {
 *         "means": {
 *           "caption": "...",
 *           "units": {"waiting": "s"},
 *           "rows": [{"class": "gold", "waiting": 1.5, "waitingHalfWidth": 0.1, "@best": ["waiting"]}]
 *         }
 *       },
 *       "charts": {"bars": {"title": "...", "rows": [{"category": "gold", "series": "ours"}]}}
 *     }
 *   },
 *   "attachments": ["runs.csv"]
 * }
 * }</pre>
 *
 * <p>Sections, tables and charts are found by their ids, columns and facts by their keys. A cell is
 * its number if it has one, else its words. Half the width of a confidence interval is beside the
 * number, under its key with {@code HalfWidth} at the end. A row of a titled group names it under
 * {@code @group}; {@code @best} lists the keys of starred cells. Whatever is absent, empty or
 * undefined has no field.
 */
public final class JsonRenderer implements Renderer {

  /** Creates a renderer. */
  public JsonRenderer() {}

  @Override
  public String render(Document document) {
    return JsonText.pretty(tree(document));
  }

  /** Returns the object that {@link #render} writes; the caller may change it. */
  public ObjectNode tree(Document document) {
    ObjectNode root = JsonText.object();
    root.put("title", document.title());
    putWords(root, "subtitle", line(document.subtitle()));
    ObjectNode sections = root.putObject("sections");
    document.sections().forEach(each -> put(sections.putObject(each.id()), each));
    document.attachments().forEach(each -> root.withArray("attachments").add(each.name()));
    return root;
  }

  private static void put(ObjectNode node, Section section) {
    putWords(node, "title", section.title());
    List<String> text = new ArrayList<>();
    ObjectNode facts = JsonText.object();
    ObjectNode tables = JsonText.object();
    ObjectNode charts = JsonText.object();
    for (Block leaf : section.leaves(Medium.JSON)) {
      if (leaf instanceof Facts some) {
        some.facts().forEach(fact -> put(facts, fact.key(), fact.value()));
      } else if (leaf instanceof Table table) {
        put(tables.putObject(table.id()), "caption", table.caption(), table);
      } else if (leaf instanceof Chart chart) {
        put(charts.putObject(chart.id()), "title", chart.title(), ChartTables.of(chart));
      } else {
        text.addAll(words(leaf));
      }
    }
    text.forEach(each -> node.withArray("text").add(each));
    putFields(node, "facts", facts);
    putFields(node, "tables", tables);
    putFields(node, "charts", charts);
  }

  private static List<String> words(Block leaf) {
    if (leaf instanceof Text text) {
      return text.lines().stream().map(JsonRenderer::line).toList();
    }
    if (leaf instanceof Heading heading) {
      return List.of(heading.text());
    }
    if (leaf instanceof Details details) {
      return List.of(details.summary(), details.text());
    }
    return leaf instanceof Preformatted preformatted ? List.of(preformatted.text()) : List.of();
  }

  private static void put(ObjectNode node, String nameField, String name, Table table) {
    node.put(nameField, name);
    ObjectNode units = JsonText.object();
    table.columns().forEach(column -> putWords(units, column.key(), column.unit()));
    putFields(node, "units", units);
    ArrayNode rows = node.putArray("rows");
    for (Table.Group group : table.groups()) {
      for (List<Table.Cell> row : group.rows()) {
        put(rows.addObject(), table.columns(), group, row);
      }
    }
  }

  private static void put(
      ObjectNode node, List<Table.Column> columns, Table.Group group, List<Table.Cell> row) {
    putWords(node, "@group", group.title());
    List<String> best = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      put(node, columns.get(i).key(), row.get(i));
      if (row.get(i).best()) {
        best.add(columns.get(i).key());
      }
    }
    best.forEach(each -> node.withArray("@best").add(each));
  }

  private static void put(ObjectNode node, String key, Table.Cell cell) {
    if (cell.isAbsent()) {
      return;
    }
    if (cell.number().isEmpty()) {
      node.put(key, cell.text().strip());
      return;
    }
    node.set(key, JsonText.number(cell.number().getAsDouble()));
    cell.uncertainty().ifPresent(half -> node.set(key + "HalfWidth", JsonText.number(half)));
  }

  private static String line(String text) {
    return text.replaceAll("\\s*\n\\s*", " ");
  }

  private static void putWords(ObjectNode node, String key, String words) {
    if (!words.isEmpty()) {
      node.put(key, words);
    }
  }

  private static void putFields(ObjectNode node, String key, ObjectNode fields) {
    if (!fields.isEmpty()) {
      node.set(key, fields);
    }
  }
}
