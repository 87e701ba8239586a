package dev.berth.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BarChart.Bar;
import dev.berth.report.Chart;
import dev.berth.report.Document;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of the package's documentation. */
class ExampleTest {

  @Test
  void rendersTheExample(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("page.html");

    List<String> classes = List.of("gold", "bronze");
    Table table =
        Table.of(
            "means",
            "Mean availability, 95 % confidence",
            List.of(Column.ofText("class"), Column.ofNumbers("availability")),
            List.of(
                List.of(Cell.of("gold"), Cell.of(0.97, 0.01, 2).asBest()),
                List.of(Cell.of("bronze"), Cell.of(0.61, 0.02, 2))));
    Series<Bar> ours = new Series<>("ours", Map.of("gold", Bar.of(0.97, 0.01)));
    Axis axis = Axis.of("availability", "share of time");
    Chart bars =
        BarChart.of("bars", "Availability", "Of gold.", "class", axis, classes, List.of(ours));
    Document document = Document.of("Availability", Text.of("Two classes."), table, bars);
    new TextRenderer().lines(document).forEach(System.out::println);
    new HtmlRenderer().write(document, file);

    assertThat(file).content().contains("Two classes.").contains("0.97 ±0.01");
  }

  @Test
  void matchesTheDocumentation() throws IOException {
    Path documentation = Path.of("src/main/java/dev/berth/report/package-info.java");
    Path example = Path.of("src/test/java/dev/berth/report/render/ExampleTest.java");
    String text = Files.readString(documentation);
    String shown =
        text.substring(text.indexOf("{@code\n") + 7, text.indexOf("}</pre>"))
            .lines()
            .map(line -> line.replaceFirst("^ \\*", ""))
            .collect(Collectors.joining());
    assertThat(Files.readString(example).replaceAll("\\s", ""))
        .contains(shown.replaceAll("\\s", ""));
  }
}
