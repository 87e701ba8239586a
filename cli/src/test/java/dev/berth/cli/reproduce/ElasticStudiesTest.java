package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.base.Splitter;
import dev.berth.cli.Cli;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.experiments.studies.elastic.PetriNetModel;
import dev.berth.experiments.studies.elastic.PetriNetRuns;
import dev.berth.experiments.studies.elastic.WorkloadStudy;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.CsvText;
import dev.berth.report.Document;
import dev.berth.report.Medium;
import dev.berth.report.Table;
import dev.berth.report.render.HtmlRenderer;
import dev.berth.report.render.TextRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticStudiesTest {

  private static final long SECOND = 1_000_000_000;

  @TempDir private Path folder;

  /** Bags whose walltimes are those of the mean workload 1. */
  private static List<Tasks> bags() {
    return List.of(bag(0, 72_000), bag(1200, 90_000), bag(2400, 36_000));
  }

  private static Tasks bag(long at, long seconds) {
    return new Tasks(at * SECOND, Collections.nCopies(100, seconds * SECOND / 100));
  }

  /**
   * Calculated by hand: a cluster of 53 grows to 86; 43 of them stay, and the third bag uses them.
   */
  @Test
  void sharedClusterKeepsHostsForLastBag() {
    PetriNetModel.Figures figures =
        PetriNetModel.cluster(bags(), 0.5, new Limits(0.95, 180), PetriNetRuns.WASTE);

    assertThat(figures.started()).isEqualTo(86);
    assertThat(figures.reused()).isEqualTo(63);
    assertThat(figures.clusters()).isEqualTo(1);
    assertThat(figures.end() / 1e9).isCloseTo(3297.2, within(0.1));
  }

  @Test
  void reusesHostsOfFinishedBag() {
    PetriNetModel.Figures figures =
        PetriNetModel.cluster(bags(), 0.3, new Limits(0.35, 70), PetriNetRuns.WASTE);

    assertThat(figures).isEqualTo(new PetriNetModel.Figures(112, 37, 2, figures.end()));
    assertThat(figures.end() / 1e9).isCloseTo(3070.2, within(0.1));
  }

  @Test
  void isWithinTenPercentOfThesisOnWorkload1() {
    PetriNetRuns low = PetriNetRuns.cluster(BagScenarios::workload1, new Limits(0.35, 70), 1);
    PetriNetRuns high = PetriNetRuns.cluster(BagScenarios::workload1, new Limits(0.95, 180), 1);
    PetriNetRuns site = PetriNetRuns.site(BagScenarios::workload1, 1);

    assertThat(site.get(PetriNetRuns.STARTED).mean()).isCloseTo(151, within(15.1));
    assertThat(site.get(PetriNetRuns.REUSED).mean()).isZero();
    assertThat(low.get(PetriNetRuns.STARTED).mean()).isCloseTo(120, within(12.0));
    assertThat(low.get(PetriNetRuns.REUSED).mean()).isCloseTo(35, within(3.5));
    assertThat(high.get(PetriNetRuns.STARTED).mean()).isCloseTo(90, within(9.0));
    assertThat(high.get(PetriNetRuns.REUSED).mean()).isCloseTo(58, within(5.8));
    assertThat(site.get(PetriNetRuns.MINUTES).mean())
        .isGreaterThan(low.get(PetriNetRuns.MINUTES).mean());
    assertThat(low.get(PetriNetRuns.MINUTES).mean())
        .isGreaterThan(high.get(PetriNetRuns.MINUTES).mean());
    assertThat(site.get(PetriNetRuns.CLUSTERS).mean())
        .isGreaterThan(low.get(PetriNetRuns.CLUSTERS).mean());
    assertThat(low.get(PetriNetRuns.CLUSTERS).mean())
        .isGreaterThan(high.get(PetriNetRuns.CLUSTERS).mean());
  }

  @Test
  @Tag("long")
  void sweepSupportsClaims() throws IOException {
    Cli.Result result =
        Cli.run(
            "reproduce",
            "elastic-sweep",
            "--csv",
            folder.toString(),
            "--report",
            folder.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.outLines())
        .anyMatch(line -> line.startsWith("  yes  MV_max 140: hosts used again from U_max .65 on"))
        .anyMatch(line -> line.startsWith("  yes  MV_max near the sum of QMV0 suffices: 140"))
        .anyMatch(line -> line.startsWith("  yes  MV_max 140, U_max .65: workloads with one"))
        .anyMatch(line -> line.startsWith("  no   MV_max 140: the curve levels off"));
    List<String> rows = Files.readAllLines(folder.resolve("elastic-sweep.csv"));
    assertThat(rows).hasSize(1 + 27);
    assertThat(rows.get(0)).startsWith("mv_max,u_max,drawn_started");
    assertThat(folder.resolve("index.html"))
        .content()
        .contains("elastic-sweep-reused", "MV_max 140");
  }

  @Test
  void writesDrawnAndSimulatedFigures() {
    StudyResult report =
        WorkloadStudy.first(2).run(new Study.Setting(PolicyRegistry.load(), "", 1));

    assertThat(new TextRenderer().lines(report.blocks()))
        .anyMatch(line -> line.matches("1, at least +400 +30 +30 +30 +25"))
        .anyMatch(line -> line.matches("3 of workload 2 +6000 +117 +118 +117 +97"))
        .anyMatch(line -> line.startsWith("elastic-site, published "));
    assertThat(report.series())
        .extracting(CsvText::name)
        .containsExactly(
            "elastic-1-exact-hosts",
            "elastic-1-exact-totals",
            "elastic-1-generous-hosts",
            "elastic-1-generous-totals");
    for (CsvText totals : List.of(report.series().get(1), report.series().get(3))) {
      double bound = totals.name().contains("exact") ? 55 : 25;
      List<String> rows = totals.toString().lines().skip(1).toList();
      assertThat(rows).hasSize(9 * 2);
      for (String row : rows) {
        List<String> cells = Splitter.on(',').splitToList(row.replaceAll("\"[^\"]*\"", "label"));
        assertThat(Double.parseDouble(cells.get(7))).as(row).isGreaterThan(bound);
      }
    }
    Document page = StudyPageTest.page(WorkloadStudy.first(), report);
    assertThat(new HtmlRenderer().render(page)).contains("elastic-1-generous-hosts");
    assertThat(page.tables(Medium.HTML).stream().map(Table::id))
        .containsExactly(
            "summary-claims",
            "elastic-1-bags",
            "elastic-1-drawn",
            "elastic-1-exact-real",
            "elastic-1-generous-real");
  }

  @Test
  void findsBagsInLog() throws IOException {
    Path log = folder.resolve("grid.swf");
    StringBuilder text = new StringBuilder("; a grid\n");
    for (int i = 0; i < 12; i++) {
      text.append(job(i + 1, i * 10, 300, 1, 7));
      text.append(job(i + 100, i * 500, 300, 1, 8)); // too far apart
      text.append(job(i + 200, i * 10, 300, 4, 9)); // too wide
    }
    Files.writeString(log, text);

    Cli.Result result =
        Cli.run(
            "reproduce", "elastic-trace", "--log", log.toString(), "--report", folder.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(folder.resolve("index.html")).content().contains("elastic-trace-cost");
    assertThat(result.outLines())
        .contains("log: grid.swf")
        .contains("12 of its 24 jobs on one processor belong to bags.")
        .anyMatch(line -> line.startsWith("The first 1 of its 1 bags "))
        .anyMatch(line -> line.contains("12 tasks, 1 hours in all"))
        .anyMatch(line -> line.matches("elastic-cluster, 140, \\.65 .*"));
  }

  @Test
  void refusesLogWithoutBags() throws IOException {
    Path log = folder.resolve("none.swf");
    Files.writeString(log, job(1, 0, 300, 1, 7));

    Cli.Result result = Cli.run("reproduce", "elastic-trace", "--log", log.toString());

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("none.swf: must have a bag of tasks");
  }

  private static String job(int number, int submit, int runs, int processors, int user) {
    return "%s %s -1 %s %s -1 -1 -1 -1 -1 1 %s 1 1 1 1 -1 -1%n"
        .formatted(number, submit, runs, processors, user);
  }

  @Test
  void sumsHostTimeOfBags() {
    assertThat(PetriNetModel.wanted(bags(), PetriNetRuns.WASTE)).isEqualTo(53 + 59 + 37);
  }
}
