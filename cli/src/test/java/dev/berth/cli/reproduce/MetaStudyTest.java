package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.base.Splitter;
import dev.berth.cli.Cli;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.studies.metascheduling.MetaStudy;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Document;
import dev.berth.report.Table;
import dev.berth.report.render.HtmlRenderer;
import dev.berth.report.render.TextRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetaStudyTest {

  private static final List<String> GRIDS =
      List.of("RH", "RBU", "RBD", "RBE", "RAU", "RAB", "RAD", "RAE");
  private static final List<String> POLICIES =
      List.of(
          "random",
          "cpu-load",
          "lottery",
          "lottery-with-load",
          "wall-time-estimated",
          "power-of-two-choices");

  @TempDir private Path folder;

  @Test
  @Tag("long")
  void ranksPoliciesAsPaper() throws IOException {
    Cli.Result result = Cli.run("reproduce", "meta-all", "--csv", folder.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).isEmpty();
    List<Map<String, String>> runs = series("meta-all-runs");
    List<Map<String, String>> figures = series("meta-all-figures");
    // Five arrival modes, three of them with two bounds
    assertThat(runs).hasSize(30 * 8 * (5 * 6 + 3 * 2));
    assertThat(figures).hasSize(8 * (5 * 6 + 3 * 2));
    for (Map<String, String> figure : figures) {
      List<Map<String, String>> own =
          runs.stream()
              .filter(
                  run ->
                      List.of("mode", "scenario", "policy").stream()
                          .allMatch(key -> text(run, key).equals(text(figure, key))))
              .toList();
      assertThat(own).hasSize(30);
      assertThat(own.stream().mapToDouble(run -> number(run, "mean_s")).average())
          .hasValueCloseTo(number(figure, "mean_s"), within(0.001));
    }
    checkTables(result, figures);
    checkBounds(runs);
    checkClaims(result);
  }

  /** Checks that each printed row starts with the figures of the series. */
  private static void checkTables(Cli.Result result, List<Map<String, String>> figures) {
    for (String grid : GRIDS) {
      List<String> rows =
          result.outLines().stream().filter(line -> line.matches(grid + " +\\d.*")).toList();
      assertThat(rows).hasSize(5);
      List<String> modes =
          List.of(
              "all at once", "every 20 s", "one instant", "all at once, cold", "every 20 s, cold");
      for (int i = 0; i < rows.size(); i++) {
        String mode = modes.get(i);
        List<String> printed = new ArrayList<>();
        Matcher cell = Pattern.compile(" {3,}(\\d+\\.\\d)").matcher(rows.get(i));
        while (cell.find()) {
          printed.add(cell.group(1));
        }
        List<Double> expected =
            figures.stream()
                .filter(each -> text(each, "mode").equals(mode))
                .filter(each -> text(each, "scenario").equals(grid))
                .map(each -> number(each, "mean_s"))
                .toList();
        assertThat(printed).hasSameSizeAs(expected).hasSize(mode.endsWith("cold") ? 6 : 8);
        for (int column = 0; column < expected.size(); column++) {
          assertThat(Double.parseDouble(printed.get(column)))
              .isCloseTo(expected.get(column), within(0.051));
        }
      }
    }
  }

  /** Checks that no run, nor the assignment found, is better than the lower bound of its jobs. */
  private static void checkBounds(List<Map<String, String>> runs) {
    Map<String, Double> bounds =
        runs.stream()
            .filter(run -> text(run, "policy").equals("lower-bound"))
            .collect(Collectors.toMap(MetaStudyTest::jobs, run -> number(run, "mean_s")));
    assertThat(bounds).hasSize(3 * 8 * 30);
    assertThat(runs)
        .filteredOn(run -> !text(run, "mode").endsWith("cold"))
        .allMatch(
            run -> number(run, "mean_s") >= bounds.getOrDefault(jobs(run), 1e9) - 0.001, "bound");
  }

  private static String jobs(Map<String, String> run) {
    return text(run, "mode") + "/" + text(run, "scenario") + "/" + text(run, "seed");
  }

  private static void checkClaims(Cli.Result result) {
    List<String> statements =
        result.outLines().stream().filter(line -> line.matches("  (yes|no ) {2}\\S.*")).toList();
    assertThat(statements).hasSize(15);
    assertThat(statements)
        .contains(
            "  yes  wall-time-estimated has the least mean in every scenario (no policy is better)",
            "  yes  wall-time-estimated has the smallest deviation in every scenario (no policy is better)",
            "  yes  random is worst in more than half of the scenarios, every 20 s",
            "  yes  lottery performs as random does in RH (no significant difference)",
            "  yes  lottery is better than random in every scenario where sites differ",
            "  yes  lottery-with-load is first or second in more than half of the scenarios, all at once",
            "  yes  cpu-load is first or second in more than half of the scenarios, every 20 s");
  }

  /** Another seed and fewer runs give a report of the same shape. */
  @Test
  void sameSeedGivesSameResult() {
    Study.Setting setting = new Study.Setting(PolicyRegistry.load(), "", 77);
    StudyResult report = new MetaStudy(2).run(setting);

    StudyResult again = new MetaStudy(2).run(setting);
    assertThat(again.claims()).isEqualTo(report.claims());
    assertThat(again.blocks()).isEqualTo(report.blocks());
    assertThat(String.join("\n", new TextRenderer().lines(report.blocks())))
        .contains("over 2 runs");
    assertThat(report.series()).hasSize(2);
    assertThat(report.series().get(1).toString()).contains(POLICIES);
    Document page = StudyPageTest.page(new MetaStudy(), report);
    assertThat(new HtmlRenderer().render(page)).contains("meta-all-every-20-s-means");
    Table sites = StudyPageTest.table(page, "meta-all-all-at-once");
    assertThat(sites.rows()).hasSize(9);
    assertThat(sites.columns().stream().map(Table.Column::name))
        .containsExactly(
            "",
            "random",
            "cpu-\nload",
            "lottery",
            "lottery-\nwith-load",
            "wall-time-\nestimated",
            "power-of-\ntwo-choices",
            "found",
            "bound");
  }

  // ---- Reading the output

  private List<Map<String, String>> series(String name) throws IOException {
    List<List<String>> lines =
        Files.readAllLines(folder.resolve(name + ".csv")).stream()
            .map(MetaStudyTest::cells)
            .toList();
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> cells : lines.subList(1, lines.size())) {
      assertThat(cells).hasSameSizeAs(lines.get(0));
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < cells.size(); i++) {
        row.put(lines.get(0).get(i), cells.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<String> cells(String line) {
    // Only a mode with a comma is quoted.
    String plain = line.replace("\"all at once, cold\"", "all at once; cold");
    plain = plain.replace("\"every 20 s, cold\"", "every 20 s; cold");
    return Splitter.on(',').splitToStream(plain).map(cell -> cell.replace(';', ',')).toList();
  }

  private static String text(Map<String, String> row, String column) {
    return row.getOrDefault(column, "");
  }

  private static double number(Map<String, String> row, String column) {
    return Double.parseDouble(text(row, column));
  }
}
