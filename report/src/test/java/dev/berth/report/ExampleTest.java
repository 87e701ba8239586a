package dev.berth.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.report.BarChart.Bar;
import dev.berth.report.Page.Section;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the package's documentation. */
class ExampleTest {

  @Test
  void writesAPage(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("page.html");

    List<String> classes = List.of("gold", "bronze");
    Table table =
        new Table(
            "means",
            "Mean availability, 95 % confidence",
            List.of(Column.ofText("class"), Column.ofNumbers("availability", "")),
            List.of(
                List.of(Cell.of("gold"), Cell.of(0.97, 0.01, 2).asBest()),
                List.of(Cell.of("bronze"), Cell.of(0.61, 0.02, 2))));
    Series<Bar> ours = new Series<>("ours", Map.of("gold", Bar.of(0.97, 0.01)));
    Axis axis = Axis.of("availability", "share of time");
    Chart bars =
        BarChart.of("bars", "Availability", "Of gold.", "class", axis, classes, List.of(ours));
    Section section =
        new Section("result", "Result", List.of(Text.of("Who gets what."), table, bars));
    PageWriter.write(new Page("Availability", "", List.of(section), List.of()), file);

    assertThat(file).content().contains("Who gets what.").contains("0.97 ±0.01");
  }

  @Test
  void isThatOfTheDocumentation() throws IOException {
    String folder = "java/dev/berth/report/";
    String documentation = Files.readString(Path.of("src/main", folder, "package-info.java"));
    String shown =
        documentation
            .substring(documentation.indexOf("{@code\n") + 7, documentation.indexOf("}</pre>"))
            .lines()
            .map(line -> line.replaceFirst("^ \\*", ""))
            .collect(Collectors.joining());
    String compiled = Files.readString(Path.of("src/test", folder, "ExampleTest.java"));
    assertThat(compiled.replaceAll("\\s", "")).contains(shown.replaceAll("\\s", ""));
  }
}
