package dev.berth.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.report.BarChart.Bar;
import dev.berth.report.BoxChart.Box;
import dev.berth.report.HeatMap.Bins;
import dev.berth.report.IntervalChart.Interval;
import dev.berth.report.LineChart.Line;
import dev.berth.report.LineChart.Range;
import dev.berth.report.LineChart.Style;
import dev.berth.report.ScatterChart.Cloud;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The rules for pages and their parts. */
class DocumentTest {

  private static final Axis AXIS = Axis.of("a");
  private static final Axis LOGARITHMIC = AXIS.asLogarithmic();
  private static final List<Point> POINTS = List.of(new Point(0, 1), new Point(1, 2));

  @Test
  void requiresUniqueIds() {
    Table table = Table.of("t", "t", List.of(Column.ofText("c")), List.of());
    refused("ids had 't' twice", () -> page(table, table));
    refused("ids had 's' twice", () -> page(line("s", AXIS, Style.STRAIGHT, Line.of("l", POINTS))));
    refused(
        "ids had 'l' twice",
        () ->
            page(
                line("l", AXIS, Style.STRAIGHT, Line.of("l", POINTS)),
                new Grid(2, List.of(line("l", AXIS, Style.STRAIGHT, Line.of("l", POINTS))))));
    refused("id was 'T 1', must begin", () -> new Section("T 1", "t", List.of()));
  }

  @Test
  void requiresTitleAndSections() {
    Section section = new Section("s", "s", List.of());
    refused("title was blank", () -> new Document(" ", "", List.of(section), List.of()));
    refused("sections was empty", () -> new Document("t", "", List.of(), List.of()));
    Attachment download = new Attachment("d.csv", "text/csv", "");
    refused(
        "attachments had 'd.csv' twice",
        () -> new Document("t", "", List.of(section), List.of(download, download)));
    refused("lines was empty", () -> Text.of());
    refused("columns was 7, must be in 1..6", () -> new Grid(7, List.of()));
    refused("charts was empty", () -> new Grid(2, List.of()));
    refused("summary was blank", () -> new Details("", "text"));
  }

  @Test
  void requiresACellForEachColumn() {
    List<Column> columns = List.of(Column.ofText("a"), Column.ofText("b"));
    refused(
        "Row 1 of t had 1 cells, must have 2",
        () ->
            Table.of(
                "t",
                "t",
                columns,
                List.of(List.of(Cell.of("x"), Cell.of("y")), List.of(Cell.of("x")))));
    refused(
        "columns of t had 'a' twice",
        () -> Table.of("t", "t", List.of(Column.ofText("a"), Column.ofText("a")), List.of()));
    refused("number was NaN, must be finite. Maybe omit", () -> Cell.of(Double.NaN, 1));
    refused("uncertainty was -1.0", () -> Cell.of(1, -1, 1));
    refused(
        "uncertainty was 1.0 without a number",
        () -> new Cell("x", OptionalDouble.empty(), OptionalDouble.of(1), false));
  }

  @Test
  void formatsNumbersAlikeInEveryLocale() {
    assertThat(Cell.of(1234.5678, 2).text()).isEqualTo("1,234.57");
    assertThat(Cell.of(0.93, 0.021, 2).asBest())
        .isEqualTo(new Cell("0.93 ±0.02", OptionalDouble.of(0.93), OptionalDouble.of(0.021), true));
  }

  @Test
  void rejectsEmptyRangesOfAxes() {
    refused("min of a was 1.0, must be below max, which was 1.0", () -> AXIS.within(1, 1));
    refused("a reaches 0 or below", () -> LOGARITHMIC.within(0, 1));
    refused("name was blank", () -> Axis.of(""));
    refused(
        "A value on 'a' of c was 0.0, must be above 0: the axis is logarithmic",
        () -> line("c", LOGARITHMIC, Style.STRAIGHT, Line.of("l", List.of(new Point(1, 0)))));
  }

  @Test
  void rejectsLinesWithDescendingX() {
    refused(
        "x of l had 1.0 before 0.0", () -> Line.of("l", List.of(new Point(1, 1), new Point(0, 1))));
    refused(
        "band of l had 1 ranges, must have 2",
        () -> new Line("l", POINTS, List.of(new Range(0, 1))));
    refused("range had 2.0 before 1.0", () -> new Range(2, 1));
    refused("y was Infinity", () -> new Point(0, Double.POSITIVE_INFINITY));
    refused(
        "lines of c had 'l' twice",
        () -> line("c", AXIS, Style.STRAIGHT, Line.of("l", POINTS), Line.of("l", POINTS)));
  }

  @Test
  void requiresStackableLines() {
    refused(
        "Line 'm' of c had other x than 'l'",
        () ->
            line(
                "c",
                AXIS,
                Style.STACKED,
                Line.of("l", POINTS),
                Line.of("m", List.of(new Point(0, 1)))));
    refused(
        "stacked line 'l' of c was -1.0",
        () -> line("c", AXIS, Style.STACKED_STEP, Line.of("l", List.of(new Point(0, -1)))));
    refused(
        "Line 'l' of c had a band",
        () ->
            line(
                "c",
                AXIS,
                Style.STACKED,
                new Line("l", List.of(new Point(0, 1)), List.of(new Range(0, 1)))));
    refused(
        "y of c was logarithmic",
        () -> line("c", LOGARITHMIC, Style.STACKED, Line.of("l", POINTS)));
  }

  @Test
  void rejectsUnknownCategories() {
    refused(
        "series 'n' had a value for 'z', must be one of [x, y]",
        () -> bars(AXIS, List.of("x", "y"), Map.of("z", Bar.of(1)), Map.of()));
    refused(
        "marks 'm' had a value for 'z'",
        () -> bars(AXIS, List.of("x", "y"), Map.of(), Map.of("z", 1.0)));
    refused("categories had 'x' twice", () -> bars(AXIS, List.of("x", "x"), Map.of(), Map.of()));
    refused(
        "value of b was logarithmic", () -> bars(LOGARITHMIC, List.of("x"), Map.of(), Map.of()));
    refused(
        "marks of b were named 'n' like a series",
        () ->
            new Marks("n", Map.of())
                .check("b", List.of(), List.of(new Series<>("n", Map.of())), AXIS));
    refused("error was -1.0", () -> Bar.of(1, -1));
    refused("m of x was NaN", () -> new Marks("m", Map.of("x", Double.NaN)));
  }

  @Test
  void rejectsDescendingIntervalsAndBoxes() {
    refused("interval had 2.0 before 1.0", () -> new Interval(1, 2, 3));
    refused("box had 3.0 before 2.5", () -> new Box(1, 2, 3, 2.5, 4, OptionalDouble.empty(), 0));
    refused("outliers was -1.0", () -> new Box(1, 2, 3, 4, 5, OptionalDouble.empty(), -1));
    refused(
        "A value on 'a' of i was 0.0",
        () ->
            new IntervalChart(
                "i",
                "i",
                "i",
                "c",
                LOGARITHMIC,
                List.of("x"),
                List.of(new Series<>("n", Map.of("x", new Interval(1, 0, 2)))),
                Optional.empty()));
    refused(
        "A value on 'a' of i was -1.0",
        () ->
            new BoxChart(
                "i",
                "i",
                "i",
                "c",
                LOGARITHMIC,
                List.of("x"),
                List.of(
                    new Series<>(
                        "n", Map.of("x", new Box(1, 1, 1, 1, 1, OptionalDouble.of(-1), 0)))),
                Optional.empty()));
  }

  @Test
  void limitsPointsOfClouds() {
    List<Point> points = new ArrayList<>(Collections.nCopies(10_000, new Point(0, 0)));
    assertThat(new Cloud("n", points).points()).hasSize(10_000);
    points.add(new Point(0, 0));
    refused("points of n were 10001, must be at most 10000", () -> new Cloud("n", points));
  }

  @Test
  void assignsEdgesToBins() {
    Bins bins = new Bins(0, 1, 10);
    assertThat(List.of(bins.indexOf(0), bins.indexOf(0.1), bins.indexOf(0.99), bins.indexOf(1)))
        .containsExactly(0, 1, 9, 9);
    refused("A value was 1.5, must be in the bins from 0.0 to 1.0", () -> bins.indexOf(1.5));
    refused("A value was NaN", () -> bins.indexOf(Double.NaN));
    refused("bins began and ended at 1.0", () -> new Bins(1, 1, 3));
    refused("count was 501", () -> new Bins(0, 1, 501));
  }

  @Test
  void sortsAndChecksCellsOfHeatMaps() {
    Bins two = new Bins(0, 2, 2);
    HeatMap.Cell cell = new HeatMap.Cell(1, 1, 5);
    assertThat(heatMap(two, AXIS, List.of(cell, new HeatMap.Cell(1, 0, 2))).cells())
        .containsExactly(new HeatMap.Cell(1, 0, 2), cell);
    refused("cells of h had '1,1' twice", () -> heatMap(two, AXIS, List.of(cell, cell)));
    refused(
        "in column 2 and row 0, must be below 2 and 2",
        () -> heatMap(two, AXIS, List.of(new HeatMap.Cell(2, 0, 1))));
    refused("An axis of h was logarithmic", () -> heatMap(two, LOGARITHMIC, List.of(cell)));
    refused("share of 'both' in [0, 1]", () -> new HeatMap.Quadrant("both", 1.5));
  }

  private static Document page(Block... blocks) {
    return new Document("t", "", List.of(new Section("s", "s", List.of(blocks))), List.of());
  }

  private static LineChart line(String id, Axis y, Style style, Line... lines) {
    return new LineChart(id, "t", "d", AXIS, y, style, List.of(lines), List.of());
  }

  private static BarChart bars(
      Axis axis, List<String> categories, Map<String, Bar> values, Map<String, Double> marks) {
    return new BarChart(
        "b",
        "t",
        "d",
        "c",
        axis,
        false,
        categories,
        List.of(new Series<>("n", values)),
        Optional.of(new Marks("m", marks)));
  }

  private static HeatMap heatMap(Bins bins, Axis x, List<HeatMap.Cell> cells) {
    return new HeatMap("h", "t", "d", x, AXIS, bins, bins, cells, false, Optional.empty(), false);
  }

  private static void refused(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
