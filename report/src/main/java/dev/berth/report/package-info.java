/**
 * Documents with text, tables, facts and charts, independent of the form in which they are shown.
 *
 * <p>A {@link dev.berth.report.Document} has sections of blocks. It holds numbers, names and their
 * order only; the renderers of {@code dev.berth.report.render} show the same document as text in a
 * terminal, Markdown, JSON, or an HTML page with charts that opens without a network.
 *
 * <pre>{@code
 * List<String> classes = List.of("gold", "bronze");
 * Table table =
 *     Table.of(
 *         "means",
 *         "Mean availability, 95 % confidence",
 *         List.of(Column.ofText("class"), Column.ofNumbers("availability")),
 *         List.of(
 *             List.of(Cell.of("gold"), Cell.of(0.97, 0.01, 2).asBest()),
 *             List.of(Cell.of("bronze"), Cell.of(0.61, 0.02, 2))));
 * Series<Bar> ours = new Series<>("ours", Map.of("gold", Bar.of(0.97, 0.01)));
 * Axis axis = Axis.of("availability", "share of time");
 * Chart bars =
 *     BarChart.of("bars", "Availability", "Of gold.", "class", axis, classes, List.of(ours));
 * Document document = Document.of("Availability", Text.of("Two classes."), table, bars);
 * new TextRenderer().lines(document).forEach(System.out::println);
 * new HtmlRenderer().write(document, file);
 * }</pre>
 *
 * <p>Undefined values are absent: text shows {@code –}, JSON has no field, charts draw nothing. All
 * types are immutable, except for {@link dev.berth.report.CsvText} and the builder of a table.
 */
@NullMarked
package dev.berth.report;

import org.jspecify.annotations.NullMarked;
