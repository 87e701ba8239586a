package dev.berth.report.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.report.Attachment;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BoxChart;
import dev.berth.report.CategoryChart;
import dev.berth.report.Chart;
import dev.berth.report.Document;
import dev.berth.report.HeatMap;
import dev.berth.report.IntervalChart;
import dev.berth.report.LineChart;
import dev.berth.report.Marks;
import dev.berth.report.Medium;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Table;
import dev.berth.report.TimelineChart;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the data of a page as JSON, from which its script draws and which tests compare. */
final class PageData {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private PageData() {}

  /** Returns JSON that may stand in a script element. */
  static String of(Document page) {
    ObjectNode root = JsonText.object().put("title", page.title());
    root.set("tables", list(page.tables(Medium.HTML), PageData::table));
    root.set("charts", list(page.charts(Medium.HTML), PageData::chart));
    root.set("downloads", list(page.attachments(), PageData::download));
    // Of JSON's own characters none is replaced: these stand in strings only.
    return JsonText.line(root)
        .replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static ObjectNode download(Attachment download) {
    return JsonText.object()
        .put("name", download.name())
        .put("mediaType", download.mediaType())
        .put("content", download.content());
  }

  private static ObjectNode table(Table table) {
    ObjectNode node = JsonText.object().put("id", table.id()).put("caption", table.caption());
    node.set(
        "columns",
        list(
            table.columns(),
            each -> JsonText.object().put("name", each.fullName()).put("unit", each.unit())));
    node.set("rows", list(table.rows(), row -> list(row, PageData::cell)));
    return node;
  }

  private static ObjectNode cell(Table.Cell cell) {
    ObjectNode node = JsonText.object().put("text", cell.text());
    put(node, "number", cell.number());
    put(node, "uncertainty", cell.uncertainty());
    return cell.best() ? node.put("best", true) : node;
  }

  private static ObjectNode chart(Chart chart) {
    ObjectNode node =
        JsonText.object()
            .put("id", chart.id())
            .put("title", chart.title())
            .put("description", chart.description());
    if (chart instanceof LineChart lines) {
      node.put("kind", "line").put("style", lines.style().name().toLowerCase(Locale.ROOT));
      plane(node, lines.x(), lines.y());
      node.set("series", list(lines.lines(), PageData::line));
      node.set("references", list(lines.references(), PageData::reference));
    } else if (chart instanceof ScatterChart scatter) {
      plane(node.put("kind", "scatter"), scatter.x(), scatter.y());
      node.set("series", list(scatter.clouds(), each -> points(each.name(), each.points())));
      node.set("references", list(scatter.references(), PageData::reference));
    } else if (chart instanceof CategoryChart<?> values) {
      if (values instanceof BarChart bars) {
        node.put("kind", "bar").put("horizontal", bars.horizontal());
      } else {
        node.put("kind", values instanceof BoxChart ? "box" : "interval");
      }
      byCategory(node, values);
    } else if (chart instanceof HeatMap heatMap) {
      heatMap(node.put("kind", "heat"), heatMap);
    } else if (chart instanceof TimelineChart timeline) {
      node.put("kind", "timeline");
      node.set(
          "series",
          list(
              timeline.runs().get(0).timeline().classes(),
              each -> JsonText.object().put("name", each.name()).put("slo", each.objective())));
      node.set("runs", list(timeline.runs(), TimelineData::of));
    }
    return node;
  }

  private static void plane(ObjectNode node, Axis x, Axis y) {
    node.set("x", axis(x));
    node.set("y", axis(y));
  }

  private static ObjectNode line(LineChart.Line line) {
    ObjectNode node = points(line.name(), line.points());
    if (!line.band().isEmpty()) {
      node.set("band", list(line.band(), each -> numbers(each.low(), each.high())));
    }
    return node;
  }

  private static ObjectNode points(String name, List<Point> points) {
    ObjectNode node = JsonText.object().put("name", name);
    node.set("points", list(points, each -> numbers(each.x(), each.y())));
    return node;
  }

  private static ObjectNode reference(Reference reference) {
    ObjectNode node = JsonText.object().put("label", reference.label());
    node.set("value", JsonText.number(reference.value()));
    return node.put("vertical", reference.vertical());
  }

  private static void byCategory(ObjectNode node, CategoryChart<?> chart) {
    node.put("category", chart.category()).set("value", axis(chart.value()));
    node.set("categories", list(chart.categories(), NODES::textNode));
    node.set("series", list(chart.series(), each -> values(each.name(), each.values(), chart)));
    if (chart.marks().isPresent()) {
      Marks marks = chart.marks().get();
      node.set("marks", values(marks.name(), marks.values(), chart));
    }
  }

  private static ObjectNode values(String name, Map<String, ?> values, CategoryChart<?> chart) {
    ObjectNode node = JsonText.object().put("name", name);
    node.set("values", list(chart.categories(), at -> value(values.get(at))));
    return node;
  }

  /** Returns null for a category without a value, a number for a mark, and else an array. */
  private static JsonNode value(@Nullable Object value) {
    if (value instanceof Double mark) {
      return JsonText.number(mark);
    }
    if (value instanceof BarChart.Bar bar) {
      return numbers(bar.value()).add(number(bar.error()));
    }
    if (value instanceof IntervalChart.Interval interval) {
      return numbers(interval.mean(), interval.low(), interval.high());
    }
    return value instanceof BoxChart.Box box
        ? numbers(box.low(), box.lowerQuartile(), box.median(), box.upperQuartile(), box.high())
            .add(number(box.mean()))
            .add(box.outliers())
        : NODES.nullNode();
  }

  private static void heatMap(ObjectNode node, HeatMap chart) {
    plane(node, chart.x(), chart.y());
    node.set("xBins", bins(chart.xBins()));
    node.set("yBins", bins(chart.yBins()));
    node.put("logarithmicColour", chart.logarithmicColour()).put("diagonal", chart.diagonal());
    node.set(
        "cells",
        list(
            chart.cells(),
            each -> NODES.arrayNode().add(each.x()).add(each.y()).add(each.count())));
    if (chart.quadrants().isPresent()) {
      HeatMap.Quadrants quadrants = chart.quadrants().get();
      ObjectNode parts = node.putObject("quadrants");
      parts.set("at", numbers(quadrants.x(), quadrants.y()));
      put(parts, "upperLeft", quadrants.upperLeft());
      put(parts, "upperRight", quadrants.upperRight());
      put(parts, "lowerLeft", quadrants.lowerLeft());
      put(parts, "lowerRight", quadrants.lowerRight());
    }
  }

  private static ArrayNode bins(HeatMap.Bins bins) {
    return numbers(bins.from(), bins.to(), bins.count());
  }

  private static void put(ObjectNode node, String field, HeatMap.Quadrant quadrant) {
    node.putObject(field)
        .put("label", quadrant.label())
        .set("share", JsonText.number(quadrant.share()));
  }

  private static ObjectNode axis(Axis axis) {
    ObjectNode node =
        JsonText.object()
            .put("name", axis.name())
            .put("unit", axis.unit())
            .put("logarithmic", axis.logarithmic());
    put(node, "min", axis.min());
    put(node, "max", axis.max());
    return node;
  }

  private static void put(ObjectNode node, String field, OptionalDouble value) {
    value.ifPresent(each -> node.set(field, JsonText.number(each)));
  }

  private static <T> ArrayNode list(List<T> all, Function<? super T, ? extends JsonNode> node) {
    ArrayNode list = NODES.arrayNode(all.size());
    all.forEach(each -> list.add(node.apply(each)));
    return list;
  }

  private static ArrayNode numbers(double... values) {
    ArrayNode list = NODES.arrayNode(values.length);
    for (double each : values) {
      list.add(JsonText.number(each));
    }
    return list;
  }

  private static JsonNode number(OptionalDouble value) {
    return value.isPresent() ? JsonText.number(value.getAsDouble()) : NODES.nullNode();
  }
}
