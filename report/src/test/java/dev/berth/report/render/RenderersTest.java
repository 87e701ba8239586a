package dev.berth.report.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.report.Attachment;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BarChart.Bar;
import dev.berth.report.BoxChart;
import dev.berth.report.Chart;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Facts;
import dev.berth.report.Facts.Fact;
import dev.berth.report.Grid;
import dev.berth.report.Heading;
import dev.berth.report.HeatMap;
import dev.berth.report.IntervalChart;
import dev.berth.report.LineChart;
import dev.berth.report.MarkdownText;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Point;
import dev.berth.report.Preformatted;
import dev.berth.report.ScatterChart;
import dev.berth.report.Section;
import dev.berth.report.Series;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** One small document in all output formats. */
class RenderersTest {

  private static final Chart BARS =
      BarChart.of(
          "bars",
          "Totals",
          "Of one.",
          "policy",
          Axis.of("total", "s"),
          List.of("one", "two"),
          List.of(new Series<>("ours", Map.of("one", Bar.of(2, 0.5)))));

  private static final Document DOCUMENT =
      new Document(
          "Small & <hostile>",
          "Both *lines*\nof it.",
          List.of(
              new Section(
                  "result",
                  "Result #1",
                  List.of(
                      Text.of("One paragraph\nin two lines.", "1. Another"),
                      Stack.of(
                          table(), new Text(true, List.of("an item\n  of two lines", "_another_"))),
                      Facts.of(
                          new Fact("passes", "passes", Cell.count(12)),
                          new Fact("config", "configuration", Cell.of("{}")),
                          new Fact("share", "share", Cell.absent())),
                      BARS,
                      OnlyFor.of(Medium.TEXT, Text.of("for terminals")),
                      OnlyFor.of(Medium.HTML, new Heading("For pages")))),
              new Section(
                  "notes",
                  "",
                  List.of(
                      new MarkdownText("notes", "### Why *ours*\n\nBecause."),
                      new Details("Settings", "{\n\n  1\n}"),
                      new Preformatted("sh", "berth ```x```")))),
          List.of(
              new Attachment("a.csv", "text/csv", "a\n"),
              new Attachment("b.csv", "text/csv", "b\n")));

  private static Table table() {
    return Table.builder("totals", "Totals | all")
        .column(Column.unnamed("policy"))
        .column(Column.ofNumbers("published").withHeading("total s"))
        .column(Column.ofNumbers("ours", "s").withHeading("total s").withGap(1))
        .column(Column.ofNumbers("pre-\nempted"))
        .group("small")
        .row(
            Cell.of("one"),
            Cell.absent(),
            Cell.estimate(2, OptionalDouble.of(12.71), 1).asBest(),
            Cell.of("≈2400", 2400))
        .row(
            Cell.of("  a|b"),
            Cell.number(OptionalDouble.of(0.25), 2),
            Cell.number(1e3, 1),
            Cell.of(""))
        .build();
  }

  @Test
  void textFoldsTablesThatAreTooWide() {
    Table table =
        Table.builder("wide", "wide")
            .column(Table.Column.unnamed("policy"))
            .column(Table.Column.ofNumbers("first"))
            .column(Table.Column.ofNumbers("min").withHeading("share of it"))
            .column(Table.Column.ofNumbers("max").withHeading("share of it"))
            .group("gold")
            .row(Table.Cell.of("a"), Table.Cell.count(1), Table.Cell.count(2), Table.Cell.count(3))
            .row(Table.Cell.of("bc"), Table.Cell.count(4), Table.Cell.count(5), Table.Cell.count(6))
            .build();
    TextRenderer text = new TextRenderer();
    assertThat(text.foldedAt(21).lines(List.of(table))).isEqualTo(text.lines(List.of(table)));
    assertThat(text.foldedAt(20).lines(List.of(table)))
        .containsExactly(
            "      first",
            "gold",
            "  a       1",
            "  bc      4",
            "",
            "       share of it",
            "      min  max",
            "gold",
            "  a     2    3",
            "  bc    5    6");
    assertThat(text.foldedAt(1).lines(List.of(table)))
        .as("two columns at least, headings whole or not")
        .hasSize(3 * 4 + 2 + 2);
    assertThatThrownBy(() -> text.foldedAt(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rendersText() {
    assertThat(new TextRenderer().render(DOCUMENT))
        .isEqualTo(
            """
            Small & <hostile>
            Both *lines*
            of it.

            Result #1

            One paragraph
            in two lines.

            1. Another

                     ------ total s ------    pre-
                     published        ours  empted
            small
              one            – ★ 2.0 ±12.7   ≈2400
                a|b       0.25      1000.0
              an item
                of two lines
              _another_

              passes         12
              configuration  {}
              share          –

            for terminals

            ### Why *ours*

            Because.

            Settings
              {

                1
              }

            berth ```x```
            """);
  }

  @Test
  void wrapsTextOnDemand() {
    TextRenderer narrow = new TextRenderer().wrappedAt(12);
    assertThat(narrow.lines(List.of(Text.of("aaa bbb cccccc ddd"))))
        .containsExactly("aaa bbb", "cccccc ddd");
    assertThat(narrow.lines(List.of(Text.bullets("aaa bbb ccc ddd", "eeeeeeeeeeeeeeeeeee f"))))
        .containsExactly("  aaa bbb", "    ccc ddd", "  eeeeeeeeeeeeeeeeeee", "    f");
    assertThatThrownBy(() -> new TextRenderer().wrappedAt(0))
        .hasMessage("columns was 0, must be positive.");
  }

  @Test
  void showsNoDataOfCharts() {
    assertThat(new TextRenderer().lines(List.of(new Grid(1, List.of(BARS))))).isEmpty();
    assertThat(TextGrid.lines(ChartTables.of(BARS)))
        .containsExactly("policy  series  value  error", "one     ours        2    0.5");
  }

  @Test
  void tabulatesEveryKindOfChart() {
    Axis axis = Axis.of("x");
    List<Point> points = List.of(new Point(1, 2.5));
    LineChart.Line banded = new LineChart.Line("l", points, List.of(new LineChart.Range(2, 3)));
    HeatMap.Bins bins = new HeatMap.Bins(0, 1, 2);
    assertThat(
            rows(
                LineChart.of("a", "a", "a", axis, axis, List.of(banded)),
                new ScatterChart(
                    "b",
                    "b",
                    "b",
                    axis,
                    axis,
                    List.of(new ScatterChart.Cloud("c", points)),
                    List.of()),
                new IntervalChart(
                    "c",
                    "c",
                    "c",
                    "class",
                    axis,
                    List.of("gold"),
                    List.of(new Series<>("s", Map.of("gold", new IntervalChart.Interval(2, 1, 3)))),
                    Optional.empty()),
                new BoxChart(
                    "d",
                    "d",
                    "d",
                    "class",
                    axis,
                    List.of("gold"),
                    List.of(
                        new Series<>(
                            "s",
                            Map.of(
                                "gold",
                                new BoxChart.Box(1, 2, 3, 4, 5, OptionalDouble.empty(), 6)))),
                    Optional.empty()),
                new HeatMap(
                    "e",
                    "e",
                    "e",
                    axis,
                    axis,
                    bins,
                    bins,
                    List.of(new HeatMap.Cell(1, 0, 7)),
                    false,
                    Optional.empty(),
                    false)))
        .containsExactly(
            "[l, 1, 2.5, 2, 3]",
            "[c, 1, 2.5]",
            "[gold, s, 2, 1, 3]",
            "[gold, s, 1, 2, 3, 4, 5, –, 6]",
            "[0.5, 0, 7]");
  }

  private static List<String> rows(Chart... charts) {
    return List.of(charts).stream()
        .flatMap(chart -> ChartTables.of(chart).rows().stream())
        .map(row -> row.stream().map(Cell::text).toList().toString())
        .toList();
  }

  @Test
  void rendersMarkdown() {
    assertThat(new MarkdownRenderer().render(DOCUMENT))
        .isEqualTo(
            """
            # Small &amp; \\<hostile\\>

            Both \\*lines\\*
            of it.

            ## <a id="result"></a>Result #1

            One paragraph
            in two lines.

            1\\. Another

            **Totals \\| all**

            | policy | total s, published | total s, ours (s) | pre-empted |
            | --- | ---: | ---: | ---: |
            | small: one | – | ★ 2.0 ±12.7 | ≈2400 |
            | small: a\\|b | 0.25 | 1000.0 |  |

            - an item of two lines
            - \\_another\\_

            - passes: 12
            - configuration: {}
            - share: –

            ### Why *ours*

            Because.

            <details><summary>Settings</summary>

            ```text
            {

              1
            }
            ```

            </details>

            ````sh
            berth ```x```
            ````
            """);
    assertThat(new MarkdownRenderer().render(DOCUMENT.sections().get(0)))
        .startsWith("## <a id=\"result\"></a>Result #1\n\nOne");
  }

  @Test
  void rendersJson() {
    assertThat(new JsonRenderer().render(DOCUMENT))
        .isEqualTo(
            """
            {
              "title": "Small & <hostile>",
              "subtitle": "Both *lines* of it.",
              "sections": {
                "result": {
                  "title": "Result #1",
                  "text": [
                    "One paragraph in two lines.",
                    "1. Another",
                    "an item of two lines",
                    "_another_"
                  ],
                  "facts": {
                    "passes": 12,
                    "config": "{}"
                  },
                  "tables": {
                    "totals": {
                      "caption": "Totals | all",
                      "units": {
                        "totalSOurs": "s"
                      },
                      "rows": [
                        {
                          "@group": "small",
                          "policy": "one",
                          "totalSOurs": 2,
                          "totalSOursHalfWidth": 12.71,
                          "preEmpted": 2400,
                          "@best": [
                            "totalSOurs"
                          ]
                        },
                        {
                          "@group": "small",
                          "policy": "a|b",
                          "totalSPublished": 0.25,
                          "totalSOurs": 1000
                        }
                      ]
                    }
                  },
                  "charts": {
                    "bars": {
                      "title": "Totals",
                      "units": {
                        "value": "s",
                        "error": "s"
                      },
                      "rows": [
                        {
                          "category": "one",
                          "series": "ours",
                          "value": 2,
                          "error": 0.5
                        }
                      ]
                    }
                  }
                },
                "notes": {
                  "text": [
                    "Why ours",
                    "Because.",
                    "Settings",
                    "{\\n\\n  1\\n}",
                    "berth ```x```"
                  ]
                }
              },
              "attachments": [
                "a.csv",
                "b.csv"
              ]
            }
            """);
  }

  @Test
  void rendersHtml() {
    String html = new HtmlRenderer().render(DOCUMENT);
    assertThat(html)
        .contains("<h1 dir=\"auto\">Small &amp; &lt;hostile&gt;</h1>")
        .contains("<li><a href=\"#result\" dir=\"auto\">Result #1</a></li>\n</ol></nav>")
        .contains("<section id=\"notes\">")
        .contains("<tr class=\"group\"><th scope=\"rowgroup\" colspan=")
        .contains("<span><bdi>small</bdi></span></th></tr>")
        .contains("<bdi>a|b</bdi>")
        .contains("<bdi>total s, published</bdi>")
        .contains("<dt dir=\"auto\">configuration</dt><dd dir=\"auto\">{}</dd>")
        .contains("<h3 dir=\"auto\">For pages</h3>")
        .contains("<h3 dir=\"auto\">Why ours</h3>")
        .contains("<pre tabindex=\"0\">\nberth ```x```</pre>")
        .contains("data-download=\"0\">a.csv</a>", "data-download=\"1\">b.csv</a>")
        .doesNotContain("for terminals");
  }

  @Test
  void omitsHeaderOfUnnamedColumnsAndSeparatesUntitledGroups() {
    Table table =
        Table.builder("t", "t")
            .column(Column.unnamed("agrees"))
            .column(Column.unnamed("claim"))
            .row(Cell.of("  yes"), Cell.of("short"))
            .group("")
            .row(Cell.of("  no"), Cell.of("a longer one"))
            .build();
    assertThat(new TextRenderer().lines(List.of(table)))
        .containsExactly("  yes  short", "", "  no   a longer one");
  }

  @Test
  void letsTitlesOfGroupsExceedTheTable() {
    Table table =
        Table.builder("t", "t")
            .column(Column.unnamed("row"))
            .column(Column.ofNumbers("least").withHeading("share"))
            .column(Column.ofNumbers("greatest").withHeading("share").withGap(1))
            .column(Column.ofNumbers("ran").withHeading("never"))
            .group("a title that is longer than the whole table, which it does not widen")
            .row(Cell.of("row"), Cell.of("0.1"), Cell.of("0.9"), Cell.of("0"))
            .build();
    assertThat(new TextRenderer().lines(List.of(table)))
        .containsExactly(
            "       --- share ----  never",
            "       least greatest    ran",
            "a title that is longer than the whole table, which it does not widen",
            "  row    0.1      0.9      0");
  }
}
