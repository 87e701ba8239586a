package dev.berth.report.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.berth.report.Attachment;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BoxChart;
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
import dev.berth.report.Series;
import dev.berth.report.Table;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Writes the data of a page as JSON, from which its script draws and which tests compare. */
final class PageData {

  // Java's own way to write a number has changed between versions; Jackson's is the same in all.
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build();

  /** Up to here a double holds every whole number. */
  private static final double EXACT = 1L << 53;

  private final JsonGenerator out;

  private PageData(JsonGenerator out) {
    this.out = out;
  }

  /** Returns JSON that may stand in a script element. */
  static String of(Document page) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      new PageData(out).page(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not fail
    }
    // Of JSON's own characters none is replaced: these stand in strings only.
    return text.toString()
        .replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /** Returns the attachments that the page holds, in order. */
  static List<Attachment> embedded(Document page) {
    return page.attachments().stream().filter(Attachment::embedded).toList();
  }

  private void page(Document page) throws IOException {
    out.writeStartObject();
    out.writeStringField("title", page.title());
    out.writeArrayFieldStart("tables");
    for (Table table : page.tables(Medium.HTML)) {
      table(table);
    }
    out.writeEndArray();
    out.writeArrayFieldStart("charts");
    for (Chart chart : page.charts(Medium.HTML)) {
      chart(chart);
    }
    out.writeEndArray();
    out.writeArrayFieldStart("downloads");
    for (Attachment download : embedded(page)) {
      out.writeStartObject();
      out.writeStringField("name", download.name());
      out.writeStringField("mediaType", download.mediaType());
      out.writeStringField("content", download.content());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void table(Table table) throws IOException {
    out.writeStartObject();
    out.writeStringField("id", table.id());
    out.writeStringField("caption", table.caption());
    out.writeArrayFieldStart("columns");
    for (Table.Column column : table.columns()) {
      out.writeStartObject();
      out.writeStringField("name", column.fullName());
      out.writeStringField("unit", column.unit());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart("rows");
    for (List<Table.Cell> row : table.rows()) {
      out.writeStartArray();
      for (Table.Cell cell : row) {
        cell(cell);
      }
      out.writeEndArray();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void cell(Table.Cell cell) throws IOException {
    out.writeStartObject();
    out.writeStringField("text", cell.text());
    optional("number", cell.number());
    optional("uncertainty", cell.uncertainty());
    if (cell.best()) {
      out.writeBooleanField("best", true);
    }
    out.writeEndObject();
  }

  private void chart(Chart chart) throws IOException {
    out.writeStartObject();
    out.writeStringField("id", chart.id());
    out.writeStringField("title", chart.title());
    out.writeStringField("description", chart.description());
    if (chart instanceof LineChart lines) {
      line(lines);
    } else if (chart instanceof ScatterChart scatter) {
      scatter(scatter);
    } else if (chart instanceof BarChart bars) {
      out.writeStringField("kind", "bar");
      out.writeBooleanField("horizontal", bars.horizontal());
      categories(bars.category(), bars.value(), bars.categories(), bars.series(), bars.marks());
    } else if (chart instanceof IntervalChart intervals) {
      out.writeStringField("kind", "interval");
      categories(
          intervals.category(),
          intervals.value(),
          intervals.categories(),
          intervals.series(),
          intervals.marks());
    } else if (chart instanceof BoxChart boxes) {
      out.writeStringField("kind", "box");
      categories(
          boxes.category(), boxes.value(), boxes.categories(), boxes.series(), boxes.marks());
    } else if (chart instanceof HeatMap heatMap) {
      heatMap(heatMap);
    }
    out.writeEndObject();
  }

  private void line(LineChart chart) throws IOException {
    out.writeStringField("kind", "line");
    out.writeStringField("style", chart.style().name().toLowerCase(Locale.ROOT));
    axis("x", chart.x());
    axis("y", chart.y());
    out.writeArrayFieldStart("series");
    for (LineChart.Line line : chart.lines()) {
      out.writeStartObject();
      out.writeStringField("name", line.name());
      points(line.points());
      if (!line.band().isEmpty()) {
        out.writeArrayFieldStart("band");
        for (LineChart.Range range : line.band()) {
          numbers(range.low(), range.high());
        }
        out.writeEndArray();
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    references(chart.references());
  }

  private void scatter(ScatterChart chart) throws IOException {
    out.writeStringField("kind", "scatter");
    axis("x", chart.x());
    axis("y", chart.y());
    out.writeArrayFieldStart("series");
    for (ScatterChart.Cloud cloud : chart.clouds()) {
      out.writeStartObject();
      out.writeStringField("name", cloud.name());
      points(cloud.points());
      out.writeEndObject();
    }
    out.writeEndArray();
    references(chart.references());
  }

  private void points(List<Point> points) throws IOException {
    out.writeArrayFieldStart("points");
    for (Point point : points) {
      numbers(point.x(), point.y());
    }
    out.writeEndArray();
  }

  private void references(List<Reference> references) throws IOException {
    out.writeArrayFieldStart("references");
    for (Reference reference : references) {
      out.writeStartObject();
      out.writeStringField("label", reference.label());
      out.writeFieldName("value");
      number(reference.value());
      out.writeBooleanField("vertical", reference.vertical());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void categories(
      String category,
      Axis value,
      List<String> categories,
      List<? extends Series<?>> series,
      Optional<Marks> marks)
      throws IOException {
    out.writeStringField("category", category);
    axis("value", value);
    out.writeArrayFieldStart("categories");
    for (String each : categories) {
      out.writeString(each);
    }
    out.writeEndArray();
    out.writeArrayFieldStart("series");
    for (Series<?> each : series) {
      out.writeStartObject();
      out.writeStringField("name", each.name());
      out.writeArrayFieldStart("values");
      for (String at : categories) {
        value(each.values().get(at));
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    out.writeEndArray();
    if (marks.isPresent()) {
      out.writeObjectFieldStart("marks");
      out.writeStringField("name", marks.get().name());
      out.writeArrayFieldStart("values");
      for (String at : categories) {
        number(marks.get().values().get(at));
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  /** Writes null for a category without a value, and else an array. */
  private void value(@Nullable Object value) throws IOException {
    if (value instanceof BarChart.Bar bar) {
      out.writeStartArray();
      number(bar.value());
      number(bar.error());
      out.writeEndArray();
    } else if (value instanceof IntervalChart.Interval interval) {
      numbers(interval.mean(), interval.low(), interval.high());
    } else if (value instanceof BoxChart.Box box) {
      out.writeStartArray();
      number(box.low());
      number(box.lowerQuartile());
      number(box.median());
      number(box.upperQuartile());
      number(box.high());
      number(box.mean());
      out.writeNumber(box.outliers());
      out.writeEndArray();
    } else {
      out.writeNull();
    }
  }

  private void heatMap(HeatMap chart) throws IOException {
    out.writeStringField("kind", "heat");
    axis("x", chart.x());
    axis("y", chart.y());
    bins("xBins", chart.xBins());
    bins("yBins", chart.yBins());
    out.writeBooleanField("logarithmicColour", chart.logarithmicColour());
    out.writeBooleanField("diagonal", chart.diagonal());
    out.writeArrayFieldStart("cells");
    for (HeatMap.Cell cell : chart.cells()) {
      out.writeStartArray();
      out.writeNumber(cell.x());
      out.writeNumber(cell.y());
      out.writeNumber(cell.count());
      out.writeEndArray();
    }
    out.writeEndArray();
    if (chart.quadrants().isPresent()) {
      HeatMap.Quadrants quadrants = chart.quadrants().get();
      out.writeObjectFieldStart("quadrants");
      out.writeFieldName("at");
      numbers(quadrants.x(), quadrants.y());
      quadrant("upperLeft", quadrants.upperLeft());
      quadrant("upperRight", quadrants.upperRight());
      quadrant("lowerLeft", quadrants.lowerLeft());
      quadrant("lowerRight", quadrants.lowerRight());
      out.writeEndObject();
    }
  }

  private void bins(String field, HeatMap.Bins bins) throws IOException {
    out.writeFieldName(field);
    numbers(bins.from(), bins.to(), bins.count());
  }

  private void quadrant(String field, HeatMap.Quadrant quadrant) throws IOException {
    out.writeObjectFieldStart(field);
    out.writeStringField("label", quadrant.label());
    out.writeFieldName("share");
    number(quadrant.share());
    out.writeEndObject();
  }

  private void axis(String field, Axis axis) throws IOException {
    out.writeObjectFieldStart(field);
    out.writeStringField("name", axis.name());
    out.writeStringField("unit", axis.unit());
    out.writeBooleanField("logarithmic", axis.logarithmic());
    optional("min", axis.min());
    optional("max", axis.max());
    out.writeEndObject();
  }

  private void optional(String field, OptionalDouble value) throws IOException {
    if (value.isPresent()) {
      out.writeFieldName(field);
      number(value.getAsDouble());
    }
  }

  private void numbers(double... values) throws IOException {
    out.writeStartArray();
    for (double value : values) {
      number(value);
    }
    out.writeEndArray();
  }

  private void number(OptionalDouble value) throws IOException {
    number(value.isPresent() ? value.getAsDouble() : null);
  }

  private void number(@Nullable Double value) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) <= EXACT) {
      out.writeNumber(value.longValue());
    } else {
      out.writeNumber(value.doubleValue());
    }
  }
}
