/**
 * Pages with tables and charts: one file each, which opens from disk without a network.
 *
 * <p>A {@link dev.berth.report.Page} has sections of blocks: text, tables, charts, charts side by
 * side, and text that unfolds. It is only numbers and names; {@link dev.berth.report.PageWriter}
 * turns it into HTML.
 *
 * <pre>{@code
 * List<String> classes = List.of("gold", "bronze");
 * Table table =
 *     new Table(
 *         "means",
 *         "Mean availability, 95 % confidence",
 *         List.of(Column.ofText("class"), Column.ofNumbers("availability", "")),
 *         List.of(
 *             List.of(Cell.of("gold"), Cell.of(0.97, 0.01, 2).asBest()),
 *             List.of(Cell.of("bronze"), Cell.of(0.61, 0.02, 2))));
 * Series<Bar> ours = new Series<>("ours", Map.of("gold", Bar.of(0.97, 0.01)));
 * Axis axis = Axis.of("availability", "share of time");
 * Chart bars =
 *     BarChart.of("bars", "Availability", "Of gold.", "class", axis, classes, List.of(ours));
 * Section section = new Section("result", "Result", List.of(Text.of("Who gets what."), table, bars));
 * PageWriter.write(new Page("Availability", "", List.of(section), List.of()), file);
 * }</pre>
 *
 * <p>A page offers the data of each table and chart as CSV and JSON. All of it is in the element
 * {@code data} of the page, from which its script draws. A chart's figure has the attribute {@code
 * data-drawn} once it is drawn, and {@code window.__berth.held(id)} tells the numbers that the
 * charting library holds, so that a test can compare.
 */
@NullMarked
package dev.berth.report;

import org.jspecify.annotations.NullMarked;
