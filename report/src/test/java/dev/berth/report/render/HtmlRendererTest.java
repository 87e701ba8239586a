package dev.berth.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.report.Axis;
import dev.berth.report.Document;
import dev.berth.report.Medium;
import dev.berth.report.Point;
import dev.berth.report.ScatterChart;
import dev.berth.report.Section;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlRendererTest {

  private static final Pattern SCRIPT =
      Pattern.compile("<script([^>]*)>(.*?)</script>", Pattern.DOTALL);

  private static final String HTML = new HtmlRenderer().render(SampleDocument.page());

  @Test
  void isDeterministic(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("page.html");
    Files.writeString(file, "what was there");
    new HtmlRenderer().write(SampleDocument.page(), file);
    assertThat(file).hasBinaryContent(HTML.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void escapesDataWithinScript() throws JsonProcessingException {
    List<MatchResult> scripts = SCRIPT.matcher(HTML).results().toList();
    assertThat(scripts)
        .extracting(script -> script.group(1))
        .containsExactly(" type=\"application/json\" id=\"data\"", "", "");
    String json = scripts.get(0).group(2);
    assertThat(json).doesNotContain("<", ">", "&", "\u2028", "\u2029");
    JsonNode data = new ObjectMapper().readTree(json);
    assertThat(data.get("charts")).hasSize(SampleDocument.page().charts(Medium.HTML).size());
    assertThat(data.get("tables")).hasSize(2);
    JsonNode hostile = data.get("tables").get(1);
    assertThat(hostile.get("caption").textValue()).isEqualTo(SampleDocument.HOSTILE);
    assertThat(hostile.at("/rows/0/0/text").textValue()).isEqualTo(SampleDocument.HOSTILE);
    assertThat(data.at("/downloads/0/content").textValue()).contains(SampleDocument.HOSTILE);
  }

  @Test
  void escapesNames() {
    String markup = SCRIPT.matcher(HTML).replaceAll("");
    assertThat(markup)
        .doesNotContain("<img", "<!--", "<script")
        .contains("&lt;/script&gt;&lt;img src=x onerror=&quot;document.title=&#39;taken&#39;")
        .contains("{{data}} $1 \\");
  }

  @Test
  void fetchesNothing() {
    String markup = SCRIPT.matcher(HTML).replaceAll("");
    assertThat(Pattern.compile("(?:src|href)=\"(?!#|data:,\")").matcher(markup).find()).isFalse();
    assertThat(markup).doesNotContain("http:", "https:", "url(", "@import");
    assertThat(markup).contains("default-src 'none'; script-src 'sha256-");
  }

  @Test
  void allowsOnlyItsOwnScripts() {
    List<MatchResult> scripts = SCRIPT.matcher(HTML).results().toList();
    String policy = HTML.substring(HTML.indexOf("script-src "), HTML.indexOf("; style-src"));
    assertThat(policy)
        .isEqualTo(
            "script-src %s %s"
                .formatted(
                    HtmlRenderer.hash(scripts.get(1).group(2)),
                    HtmlRenderer.hash(scripts.get(2).group(2))));
  }

  @Test
  void starsBestCells() {
    assertThat(HTML)
        .contains(
            "<td class=\"end best\"><span role=\"img\" aria-label=\"best\">★</span>"
                + " <bdi>0.9731 ±0.0021</bdi></td>");
  }

  @Test
  void keepsLineBreaksOfDetails() {
    assertThat(HTML).contains("<pre tabindex=\"0\">\n{\n  &quot;policy&quot; : &quot;qos-driven");
  }

  /** Wide tables scroll below their first column, which stays in sight. */
  @Test
  void keepsTheFirstColumnOfTablesInSight() {
    String style = HTML.substring(HTML.indexOf("<style>"), HTML.indexOf("</style>"));
    assertThat(rule(style, ".scroll th:first-child:not([colspan]), .scroll td:first-child"))
        .contains("position: sticky", "left: 0", "background: var(--paper)");
    assertThat(rule(style, "tr.group span")).contains("position: sticky");
    assertThat(rule(style, ".scroll")).contains("overflow-x: auto");
    assertThat(Pattern.compile("<div class=\"scroll\"[^>]*>\\s*<table").matcher(HTML).results())
        .hasSameSizeAs(Pattern.compile("<table").matcher(HTML).results().toList())
        .isNotEmpty();
  }

  /** A mark at the edge of the axes is drawn whole; only values beyond the axes are cut. */
  @Test
  void cutsMarksOnlyIfValuesAreBeyondTheAxes() {
    String script = HTML.substring(HTML.lastIndexOf("<script"));
    assertThat(Pattern.compile("\\bclip: (\\w+)").matcher(script).results())
        .as("points, marks of bars, intervals, boxes")
        .filteredOn(each -> !each.group(1).equals("true"))
        .extracting(each -> each.group(1))
        .containsExactly("cutsPoints", "endsBefore", "cutsValues", "cutsValues");
    assertThat(script)
        .contains("value < (axis.min ?? -Infinity) || value > (axis.max ?? Infinity)");
  }

  private static String rule(String style, String selector) {
    int start = style.indexOf("\n" + selector + " {");
    assertThat(start).as(selector).isNotNegative();
    return style.substring(start, style.indexOf('}', start));
  }

  @Test
  void writesNumbersShortAndExactly() {
    Axis axis = Axis.of("x");
    List<Point> points =
        List.of(new Point(0.1, 3), new Point(1e-7, 1e22), new Point(-2, 2.0000000000000004));
    Document page =
        new Document(
            "numbers",
            "",
            List.of(
                new Section(
                    "s",
                    "s",
                    List.of(
                        new ScatterChart(
                            "c",
                            "c",
                            "c",
                            axis,
                            axis,
                            List.of(new ScatterChart.Cloud("n", points)),
                            List.of())))),
            List.of());
    assertThat(PageData.of(page)).contains("[[0.1,3],[1.0E-7,1.0E22],[-2,2.0000000000000004]]");
  }
}
