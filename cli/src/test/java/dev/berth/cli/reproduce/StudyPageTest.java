package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.studies.PublishedStudies;
import dev.berth.experiments.studies.memory.MemoryStudy;
import dev.berth.experiments.studies.qos.ValidationStudy;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyPage;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.Document;
import dev.berth.report.Medium;
import dev.berth.report.ScatterChart;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.report.render.HtmlRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyPageTest {

  @TempDir private Path folder;

  static Document page(Study experiment, StudyResult report) {
    StudyPage page = new StudyPage(1);
    page.add(experiment, report);
    return page.document(List.of());
  }

  private static Document run(Study experiment) {
    return page(experiment, experiment.run(new Study.Setting(PolicyRegistry.load(), "", 1)));
  }

  @Test
  void writesPageAndSeries() throws IOException {
    Path report = folder.resolve("new").resolve("report");

    Cli.Result result =
        Cli.run("reproduce", "memic-1", "validation-2", "--report", report.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    String html = Files.readString(report.resolve("index.html"));
    assertThat(html)
        .contains("<h2 id=\"memic-1\"", "<h2 id=\"validation-2\"")
        .contains("id=\"memic-1-total\"", "id=\"validation-2-requests-silver\"")
        .contains("The thesis does not print its memory profiles.")
        .contains("MemoryScenarios documents ours.");
    assertThat(html.indexOf("\"memic-1\"")).isLessThan(html.indexOf("\"validation-2\""));
    try (var files = Files.list(report)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "index.html",
              "memic-1-memory.csv",
              "memic-1-jobs.csv",
              "memic-1-totals.csv",
              "validation-2-classes.csv",
              "validation-2-requests.csv",
              "validation-2-serial.csv");
    }
    assertThat(report.resolve("memic-1-totals.csv")).content().startsWith("policy,seed,total_s");
  }

  @Test
  void showsPublishedFiguresBesideOurs() {
    Document page = run(MemoryStudy.fourth());

    Table table = table(page, "memic-4-figures");
    assertThat(table.columns().stream().map(Table.Column::name))
        .startsWith("policy", "published", "ours", "published");
    List<Table.Cell> memic =
        table.rows().stream()
            .filter(row -> row.get(0).text().equals("memic, maximum"))
            .findFirst()
            .orElseThrow();
    assertThat(memic.get(1).number()).hasValue(805.664);
    assertThat(memic.get(1).text()).isEqualTo("806");
    assertThat(memic.get(2).number().orElseThrow()).isBetween(700.0, 900.0);
    BarChart total = (BarChart) chart(page, "memic-4-total");
    assertThat(total.categories()).hasSize(11);
    assertThat(total.series()).hasSize(2);
    assertThat(total.series().get(0).name()).isEqualTo("published");
    assertThat(total.series().get(0).values())
        .hasSize(10) // dedicated has no published figures
        .doesNotContainKey("dedicated")
        .containsEntry("memic, maximum", BarChart.Bar.of(805.664));
    assertThat(total.series().get(1).values().get("memic, maximum"))
        .isEqualTo(new BarChart.Bar(memic.get(2).number().orElseThrow(), OptionalDouble.empty()));
    assertThat(new HtmlRenderer().render(page)).contains("MEMiC, scenario 4");
  }

  @Test
  void chartsAllRequestsOfValidation() {
    Document page = run(ValidationStudy.second());

    ScatterChart requests = (ScatterChart) chart(page, "validation-2-requests-silver");
    assertThat(requests.clouds().stream().map(ScatterChart.Cloud::name))
        .containsExactly("qos-driven", "priority");
    assertThat(requests.clouds()).allMatch(each -> each.points().size() == 221);
    assertThat(requests.clouds().get(1).points().stream().filter(each -> each.y() == 0))
        .hasSize(21);
    assertThat(page.charts(Medium.HTML).stream().map(each -> each.id()))
        .containsExactly(
            "validation-2-requests-silver",
            "validation-2-ranges-qos-driven",
            "validation-2-ranges-priority",
            "validation-2-seeds-qos-driven",
            "validation-2-seeds-priority");
    assertThat(new HtmlRenderer().render(page)).contains("their Kubernetes");
  }

  @Test
  void rendersNotesOfAllStudies() {
    StudyPage page = new StudyPage(1);
    for (Study each : PublishedStudies.all()) {
      page.add(each, new StudyResult(List.of(Text.of("figures")), List.of(), List.of()));
    }

    assertThat(page.document(List.of()).sections()).hasSameSizeAs(PublishedStudies.all());
    assertThat(new HtmlRenderer().render(page.document(List.of())))
        .contains("The thesis does not print its memory profiles.")
        .doesNotContain("{{run}}");
  }

  static Table table(Document page, String id) {
    return page.tables(Medium.HTML).stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Block chart(Document page, String id) {
    return page.charts(Medium.HTML).stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
