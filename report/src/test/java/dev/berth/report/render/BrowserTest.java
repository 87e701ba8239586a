package dev.berth.report.render;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BoxChart;
import dev.berth.report.Chart;
import dev.berth.report.Document;
import dev.berth.report.HeatMap;
import dev.berth.report.IntervalChart;
import dev.berth.report.LineChart;
import dev.berth.report.Medium;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Section;
import dev.berth.report.Series;
import dev.berth.test.Chromium;
import dev.berth.test.Chromium.Visit;
import dev.berth.test.PageCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks pages in a browser. Each page is in a frame, since the window of Chromium is never as
 * narrow as a phone.
 */
class BrowserTest {

  private static final Pattern PROBED = Pattern.compile("<pre id=\"probed\">([^<]+)</pre>");
  private static final Pattern DASHED =
      Pattern.compile("<path d=\"([^\"]+)\"[^>]* stroke-dasharray=\"6,3\"");
  private static final String DARK = "--blink-settings=preferredColorScheme=0";
  private static final String LIGHT = "--blink-settings=preferredColorScheme=1";

  private static final Document PAGE = SampleDocument.page();
  private static final String HTML = new HtmlRenderer().render(PAGE);

  @TempDir Path scratch;

  @BeforeEach
  void requireABrowser() {
    Chromium.require();
  }

  @Test
  void opensFromDisk() throws Exception {
    Path file = scratch.resolve("page.html");
    new HtmlRenderer().write(PAGE, file);
    Visit visit = Chromium.open(file, scratch, LIGHT);
    assertThat(visit.console()).isEmpty();
    assertThat(Pattern.compile("data-drawn=\"true\"").matcher(visit.document()).results())
        .hasSize(PAGE.charts(Medium.HTML).size());
  }

  @ParameterizedTest
  @CsvSource({"390, false", "390, true", "1400, false", "1400, true"})
  void showsAllDataOfThePage(int width, boolean dark) throws Exception {
    List<String> problems = new ArrayList<>();
    JsonNode probed = probed(HTML, width, dark, problems);
    assertThat(problems).isEmpty();

    assertThat(probed.get("width").intValue()).isEqualTo(width);
    assertThat(probed.get("dark").booleanValue()).isEqualTo(dark);
    String light = "rgb(255, 255, 255)";
    assertThat(probed.get("paper").textValue().equals(light)).isEqualTo(!dark);
    assertThat(probed.get("otherPaper").textValue().equals(light)).isEqualTo(dark);
    assertThat(probed.get("printedPaper").textValue()).isEqualTo(light);
    assertThat(probed.get("links")).hasToString("[\"blob:results.json\",\"blob:results.csv\"]");

    assertThat(probed.get("ascending").toString()).isEqualTo("[\"★ 0\",\"8,210\",\"12,345\"]");
    assertThat(probed.get("descending").toString()).isEqualTo("[\"12,345\",\"8,210\",\"★ 0\"]");
    assertThat(probed.at("/toggled/0").intValue()).isEqualTo(4);
    assertThat(probed.at("/toggled/1").intValue()).isZero();
    assertThat(probed.at("/toggled/2").textValue()).isEqualTo("false");

    assertThat(probed.at("/tips/availability-bars/0").textValue())
        .isEqualTo("production|qos-driven|0.99 share of time ±0.01");
    assertThat(probed.at("/tips/availability-bars/3").textValue())
        .isEqualTo("production|objective|0.95 share of time");
    assertThat(probed.at("/tips/penalty-intervals/0").textValue())
        .isEqualTo("0.8|qos-driven|10 $ [8, 13.5]");
    assertThat(probed.at("/tips/availability-boxes/0").textValue()).contains("|median|", "|17");
    assertThat(probed.at("/tips/demand/0").textValue())
        .startsWith("0 h|production|900 cores|middle|");
    assertThat(probed.at("/tips/availability-contention/0").textValue())
        .isEqualTo(
            "0.5|qos-driven|1 share of time [0.99, 1.01]|priority|1 share of time [0.99, 1.01]");
    assertThat(probed.at("/tips/availability-sorted/2").textValue())
        .startsWith("first-fit|requests, sorted|0 %|availability|");
    assertThat(probed.at("/tips/paired-batch/0").textValue())
        .contains(" here|qos-driven|0 to 0.025|priority|0 to 0.025");
    assertThat(probed.at("/tips/hostile-chart/0").textValue()).contains(SampleDocument.HOSTILE);

    assertThat(probed.at("/csv/summary-table").textValue())
        .startsWith(
            "policy,production,production ±,middle,middle ±,batch,batch ±,preemptions,penalty (k$)"
                + "\r\nqos-driven,0.9731,0.0021,0.8123,0.0103,0.51,0.02,12345,1.25\r\n");
    assertThat(probed.at("/csv/availability-bars").textValue())
        .startsWith("series,service class,value,error\r\nqos-driven,production,0.99,0.01\r\n")
        .endsWith("objective,batch,0.5,\r\n");
    assertThat(probed.at("/csv/timeline").textValue())
        .startsWith("run,instance,class,state,host,lane,from (s),to (s),met\r\n")
        .contains("\r\npriority,urgent,production,running,host-1,0,18000,28800,false\r\n");
    assertThat(probed.get("picked").toString())
        .contains(
            "0.3, objective 0.5: missed",
            "at 05:00:00 for urgent (production)",
            "--at 7200.001s --policy x",
            "--at 18000.001s --policy x");
    assertThat(probed.get("behind").intValue()).isEqualTo(14);

    assertThat(probed.at("/csv/hostile-table").textValue())
        .contains("\r\n\"" + SampleDocument.HOSTILE.replace("\"", "\"\"") + "\",1000000000,\r\n");
  }

  /** Also where values differ by less than a hundredth. */
  @Test
  void drawsReferencesAtTheirValues() throws Exception {
    String low = dashed(0.0201);

    assertThat(low).isNotEmpty();
    assertThat(dashed(0.0239)).isNotEqualTo(low);
  }

  /** Returns the shape of the only dashed line of a chart, which is its reference. */
  private String dashed(double reference) throws IOException, InterruptedException {
    LineChart chart =
        new LineChart(
            "chart",
            "Chart",
            "A line and a reference.",
            Axis.of("x").within(0, 1),
            Axis.of("y").within(0, 0.05),
            LineChart.Style.STRAIGHT,
            List.of(LineChart.Line.of("line", List.of(new Point(0, 0.01), new Point(1, 0.04)))),
            List.of(Reference.horizontal("reference", reference)));
    Path file = scratch.resolve("references.html");
    new HtmlRenderer()
        .write(
            new Document(
                "References", "", List.of(new Section("s", "", List.of(chart))), List.of()),
            file);
    String drawn = Chromium.open(file, scratch, LIGHT).document();
    return DASHED.matcher(drawn).results().map(each -> each.group(1)).collect(joining(";"));
  }

  @Test
  void hasNoDefectInTheBrowser() throws Exception {
    assertThat(PageCheck.defects(() -> HTML, scratch)).isEmpty();
  }

  @Test
  void axeFindsWhatCannotBeReadOrHeard() throws Exception {
    String html =
        HTML.replace("--muted: light-dark(#57606a, #a3abb3)", "--muted: light-dark(#ccd, #445)")
            .replace("role=\"img\" aria-label=", "role=\"img\" data-label=");
    assertThat(PageCheck.defects(() -> html, scratch))
        .anyMatch(each -> each.startsWith("390 px, light: axe color-contrast"))
        .anyMatch(each -> each.startsWith("1400 px, dark: axe color-contrast"))
        .anyMatch(each -> each.contains("axe role-img-alt"));
  }

  @Test
  void detectsMissingChart() throws Exception {
    List<String> problems = new ArrayList<>();
    probed(HTML.replaceFirst("\"kind\":\"box\"", "\"kind\":\"sphere\""), 1400, false, problems);
    assertThat(problems)
        .anyMatch(problem -> problem.contains("CONSOLE"))
        .contains("availability-boxes was not drawn: failed");
  }

  @Test
  void detectsWrongNumber() throws Exception {
    List<String> problems = new ArrayList<>();
    probed(HTML.replace("[0.99,0.01]", "[0.98,0.01]"), 1400, false, problems);
    assertThat(problems)
        .containsExactly("availability-bars held 0.98 instead of 0.99 in series 0, value 0");
  }

  @Test
  void detectsInvisibleSeries() throws Exception {
    List<String> problems = new ArrayList<>();
    String html = HTML.replace("\"points\":[[0.5,1],", "\"points\":[],\"other\":[[0.5,1],");
    assertThat(html).isNotEqualTo(HTML);
    probed(html, 1400, false, problems);
    assertThat(problems).contains("availability-contention does not show series 0");
  }

  @Test
  void detectsOverflow() throws Exception {
    List<String> problems = new ArrayList<>();
    probed(HTML.replace(".scroll { overflow-x: auto;", ".scroll {"), 390, false, problems);
    assertThat(problems).anyMatch(problem -> problem.contains("wider than the screen"));
  }

  @Test
  void detectsNetworkAccess() throws Exception {
    List<String> problems = new ArrayList<>();
    probed(
        HTML.replace("</main>", "<img src=\"https://berth.invalid/x.png\"></main>"),
        1400,
        false,
        problems);
    assertThat(problems).anyMatch(problem -> problem.contains("Content Security Policy"));
  }

  /** Opens a page with the probe and adds all its defects to the problems. */
  private JsonNode probed(String html, int width, boolean dark, List<String> problems)
      throws IOException, InterruptedException {
    String probe;
    try (InputStream in = BrowserTest.class.getResourceAsStream("probe.js")) {
      probe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Files.writeString(
        scratch.resolve("page.html"),
        html.replace("script-src ", "script-src " + HtmlRenderer.hash(probe) + " ")
            .replace("</body>\n</html>", "<script>" + probe + "</script></body>\n</html>"));
    Path frame = scratch.resolve("frame.html");
    Files.writeString(
        frame,
        """
        <!DOCTYPE html><meta name="color-scheme" content="light dark"><pre id="probed"></pre>
        <script>
        addEventListener('message', event => {
          const bytes = new TextEncoder().encode(event.data);
          document.getElementById('probed').textContent =
            btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
        });
        </script>
        <iframe src="page.html" style="border: 0; width: %dpx; height: 800px"></iframe>
        """
            .formatted(width));
    Visit visit = Chromium.open(frame, scratch, dark ? DARK : LIGHT);
    problems.addAll(visit.console());
    Matcher probed = PROBED.matcher(visit.document());
    assertThat(probed.find())
        .as("the probe has a result, and the console %s", visit.console())
        .isTrue();
    JsonNode result = new ObjectMapper().readTree(Base64.getDecoder().decode(probed.group(1)));
    addProblems(result, problems);
    return result;
  }

  private static void addProblems(JsonNode probed, List<String> problems) {
    if (probed.get("overflow").intValue() > 0) {
      problems.add("The page is %s px wider than the screen".formatted(probed.get("overflow")));
    }
    if (!probed.get("title").textValue().equals(PAGE.title())
        || probed.get("images").intValue() > 0) {
      problems.add("A name was taken for markup");
    }
    probed.get("fetched").forEach(name -> problems.add("Fetched " + name.textValue()));
    for (Chart chart : PAGE.charts(Medium.HTML)) {
      for (String when : List.of("charts", "otherCharts")) {
        JsonNode seen = probed.get(when).get(chart.id());
        if (!seen.path("drawn").asText("").equals("true")) {
          problems.add("%s was not drawn: %s".formatted(chart.id(), seen.path("drawn").asText()));
          continue;
        }
        for (int i = 0; i < seen.get("painted").size(); i++) {
          if (seen.get("painted").get(i).intValue() == 0) {
            problems.add("%s does not show series %d".formatted(chart.id(), i));
          }
        }
        seen.get("cut").forEach(text -> problems.add(chart.id() + " cuts off " + text.textValue()));
        if (seen.get("wide").booleanValue()) {
          problems.add(chart.id() + " is wider than the screen");
        }
      }
      if (probed.get("held").has(chart.id())) {
        addDifferences(chart.id(), expected(chart), probed.get("held").get(chart.id()), problems);
      }
    }
  }

  /** The numbers of each value of each series; the library may hold more. */
  private static List<List<double[]>> expected(Chart chart) {
    List<List<double[]>> all = new ArrayList<>();
    if (chart instanceof LineChart lines) {
      boolean stacked = lines.style().isStacked();
      double[] tops = new double[lines.lines().get(0).points().size()];
      for (LineChart.Line line : lines.lines()) {
        List<double[]> values = new ArrayList<>();
        for (Point point : line.points()) {
          double top = stacked ? tops[values.size()] += point.y() : point.y();
          values.add(new double[] {point.x(), top, point.y()});
        }
        all.add(values);
      }
    } else if (chart instanceof ScatterChart scatter) {
      for (ScatterChart.Cloud cloud : scatter.clouds()) {
        all.add(cloud.points().stream().map(p -> new double[] {p.x(), p.y()}).toList());
      }
    } else if (chart instanceof HeatMap heatMap) {
      all.add(
          heatMap.cells().stream()
              .map(cell -> new double[] {cell.x(), cell.y(), cell.count()})
              .toList());
    } else if (chart instanceof BarChart bars) {
      addExpected(all, bars.categories(), bars.series());
    } else if (chart instanceof IntervalChart intervals) {
      addExpected(all, intervals.categories(), intervals.series());
    } else if (chart instanceof BoxChart boxes) {
      addExpected(all, boxes.categories(), boxes.series());
    }
    return all;
  }

  private static void addExpected(
      List<List<double[]>> all, List<String> categories, List<? extends Series<?>> series) {
    for (Series<?> each : series) {
      List<double[]> values = new ArrayList<>();
      for (int i = 0; i < categories.size(); i++) {
        Object value = each.values().get(categories.get(i));
        if (value instanceof BarChart.Bar bar) {
          values.add(new double[] {i, bar.value(), bar.error().orElse(Double.NaN)});
        } else if (value instanceof IntervalChart.Interval interval) {
          values.add(new double[] {i, interval.mean(), interval.low(), interval.high()});
        } else if (value instanceof BoxChart.Box box) {
          values.add(
              new double[] {
                i,
                box.low(),
                box.lowerQuartile(),
                box.median(),
                box.upperQuartile(),
                box.high(),
                box.mean().orElse(Double.NaN),
                box.outliers()
              });
        }
      }
      all.add(values);
    }
  }

  private static void addDifferences(
      String id, List<List<double[]>> expected, JsonNode held, List<String> problems) {
    if (held.size() != expected.size()) {
      problems.add("%s held %d series instead of %d".formatted(id, held.size(), expected.size()));
      return;
    }
    for (int series = 0; series < expected.size(); series++) {
      List<double[]> values = expected.get(series);
      if (held.get(series).size() != values.size()) {
        problems.add(
            "%s held %d values instead of %d in series %d"
                .formatted(id, held.get(series).size(), values.size(), series));
        continue;
      }
      for (int i = 0; i < values.size(); i++) {
        for (int k = 0; k < values.get(i).length; k++) {
          JsonNode number = held.get(series).get(i).path(k);
          double is = number.isNumber() ? number.doubleValue() : Double.NaN;
          if (Double.compare(is, values.get(i)[k]) != 0) {
            problems.add(
                "%s held %s instead of %s in series %d, value %d"
                    .formatted(id, is, values.get(i)[k], series, i));
          }
        }
      }
    }
  }
}
