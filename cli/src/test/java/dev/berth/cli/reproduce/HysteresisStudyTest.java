package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.studies.slo.HysteresisStudy;
import dev.berth.experiments.studies.slo.MonthStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyPage;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyStore;
import dev.berth.report.BarChart;
import dev.berth.report.Chart;
import dev.berth.report.CsvText;
import dev.berth.report.Document;
import dev.berth.report.LineChart;
import dev.berth.report.Medium;
import dev.berth.report.Point;
import dev.berth.report.ScatterChart;
import dev.berth.report.Table;
import dev.berth.report.render.HtmlRenderer;
import dev.berth.report.render.TextRenderer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The studies of qos-hysteresis, with two seeds. */
class HysteresisStudyTest {

  private static final Study STUDY = new HysteresisStudy(2);

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static StudyResult result;

  @TempDir private Path folder;

  private static Study.Setting setting() {
    return new Study.Setting(PolicyRegistry.load(), "", 1);
  }

  @BeforeAll
  static void run() {
    result = STUDY.run(setting());
  }

  private static Document page() {
    StudyPage page = new StudyPage(1);
    page.add(STUDY, result);
    return page.document(List.of());
  }

  private static Table table(String id) {
    return page().tables(Medium.HTML).stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Chart chart(String id) {
    return page().charts(Medium.HTML).stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static double number(Table table, String row, int column) {
    return table.rows().stream()
        .filter(each -> each.get(0).text().equals(row))
        .findFirst()
        .orElseThrow()
        .get(column)
        .number()
        .orElseThrow();
  }

  private static Claim claim(String id) {
    return result.claims().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void meetsTargetsWithTwoSeeds() {
    assertThat(result.claims()).hasSize(12);
    assertThat(result.claims()).filteredOn(each -> !each.holds()).isEmpty();
    assertThat(result.claims()).extracting(Claim::id).doesNotHaveDuplicates();
    assertThat(result.claims()).allMatch(each -> !each.details().isEmpty());
  }

  /** The claims judge the figures that the tables show. */
  @Test
  void claimsAgreeWithTables() {
    Table first = table("hysteresis-validation-1");
    double ours = number(first, "all classes: qos-hysteresis", 7);
    double theirs = number(first, "all classes: qos-driven", 7);

    assertThat(claim("validation-1-preemptions").ours())
        .isEqualTo(String.format(Locale.ROOT, "%.1f %%", 100 * ours / theirs));
    assertThat(claim("validation-1-bronze-deficit").ours())
        .startsWith(fixed(number(first, bronze(first) + ": qos-hysteresis", 4)));
    assertThat(claim("overload-bronze-met").ours())
        .startsWith(
            fixed(
                number(
                    table("hysteresis-overload"),
                    bronze(table("hysteresis-overload")) + ": qos-hysteresis, fulfilment",
                    3)));
  }

  /** No policy exceeds a bound, and the sentence below a table follows from its figures. */
  @Test
  void showsBounds() {
    Table first = table("hysteresis-validation-1");
    double bound = number(first, "all classes: bound", 6);
    double priority = number(first, "all classes: priority", 6);
    double driven = number(first, "all classes: qos-driven", 6);
    double ours = number(first, "all classes: qos-hysteresis", 6);
    double reached = number(first, "all classes: clairvoyant", 6);

    assertThat(bound).isLessThan(reached);
    assertThat(reached).isLessThan(ours);
    assertThat(bound).isPositive().isLessThan(ours);
    assertThat(ours).isLessThan(driven);
    assertThat(number(first, bronze(first) + ": bound", 3)).isEqualTo(1);
    assertThat(new TextRenderer().lines(result.blocks()))
        .contains(
            "Of the way from the penalty of priority to the bound: qos-driven %s %%, qos-hysteresis %s %%, clairvoyant %s %%."
                .formatted(
                    percent((priority - driven) / (priority - bound)),
                    percent((priority - ours) / (priority - bound)),
                    percent((priority - reached) / (priority - bound))));
  }

  /** All objectives but those of gold can be met, with a tenth of the preemptions. */
  @Test
  void showsWhatCanBeReached() {
    Table first = table("hysteresis-validation-1");

    assertThat(number(first, bronze(first) + ": clairvoyant", 3)).isEqualTo(1);
    assertThat(number(first, "all classes: clairvoyant", 7))
        .isLessThan(0.1 * number(first, "all classes: qos-hysteresis", 7));
    assertThat(number(table("hysteresis-restarts-10"), "all classes: clairvoyant", 6))
        .isLessThan(number(table("hysteresis-restarts-10"), "all classes: qos-hysteresis", 6));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f", 100 * share);
  }

  private static String fixed(double number) {
    return String.format(Locale.ROOT, "%.4f", number);
  }

  private static String bronze(Table table) {
    return table.groups().stream()
        .map(Table.Group::title)
        .filter(each -> each.startsWith("bronze"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void changesOneThingInEachSetting() {
    assertThat(bronze(table("hysteresis-validation-1"))).endsWith("96 requests");
    assertThat(bronze(table("hysteresis-overload"))).endsWith("120 requests");
    assertThat(number(table("hysteresis-restarts-10"), "all classes: qos-driven", 8))
        .as("lost work when starts are ten times as long")
        .isGreaterThan(4 * number(table("hysteresis-validation-1"), "all classes: qos-driven", 8));
    assertThat(number(table("hysteresis-watchdog-10"), "all classes: qos-driven", 7))
        .as("preemptions when passes are more frequent")
        .isGreaterThan(number(table("hysteresis-watchdog-60"), "all classes: qos-driven", 7));
  }

  @Test
  void preemptionsGrowWithTheRestartShare() {
    ScatterChart bought = (ScatterChart) chart("hysteresis-trade-off");

    assertThat(bought.clouds()).hasSize(4);
    List<Double> preemptions = bought.clouds().get(0).points().stream().map(Point::x).toList();
    assertThat(preemptions).hasSize(7).isSorted();
    assertThat(preemptions.get(6)).isLessThan(bought.clouds().get(2).points().get(0).x());
    assertThat(table("hysteresis-restart-share").rows()).hasSize(8);
    assertThat(number(table("hysteresis-restart-share"), "ε 0.0125", 1))
        .as("the default")
        .isEqualTo(number(table("hysteresis-validation-1"), "all classes: qos-hysteresis", 7));
  }

  @Test
  void followsOneInstance() {
    LineChart instance = (LineChart) chart("hysteresis-instance");

    assertThat(instance.lines().stream().map(LineChart.Line::name))
        .containsExactly("qos-driven", "qos-hysteresis");
    for (LineChart.Line each : instance.lines()) {
      assertThat(each.points()).hasSizeGreaterThan(300);
      assertThat(each.points().get(each.points().size() - 1).x()).isEqualTo(60);
      assertThat(each.points().get(each.points().size() - 1).y()).isBetween(0.4, 0.6);
    }
  }

  @Test
  void chartsAllSettings() {
    assertThat(((BarChart) chart("hysteresis-preemptions")).categories())
        .containsExactly(
            "validation-1",
            "validation-2",
            "overload",
            "restarts-3",
            "restarts-10",
            "watchdog-10",
            "watchdog-60");
    assertThat(new HtmlRenderer().render(page())).contains("One bronze instance over time");
  }

  @Test
  void writesFiguresOfEachRun() {
    CsvText classes = result.series().get(0);

    assertThat(classes.name()).isEqualTo("hysteresis-classes");
    assertThat(classes.toString().lines())
        .hasSize(1 + 2 * (4 * 3 * 5 + 4 + 3 * 5 + 3 * 8))
        .first()
        .asString()
        .startsWith("setting,policy,seed,class,requests,availability_min");
  }

  @Test
  @Tag("long")
  void sameSeedsGiveSameResult() {
    StudyResult again = STUDY.run(setting());

    assertThat(again.claims()).isEqualTo(result.claims());
    assertThat(again.series().get(0).toString()).isEqualTo(result.series().get(0).toString());
  }

  @Test
  void runsPartOfTheMonth() {
    Study month = new MonthStudy(0.001, Duration.ofDays(2));

    StudyResult part = month.run(setting());

    assertThat(part.claims()).isEmpty();
    assertThat(part.series().get(0).toString()).contains("month,qos-hysteresis,3,gold,");
    StudyPage page = new StudyPage(1);
    page.add(month, part);
    assertThat(new HtmlRenderer().render(page.document(List.of()))).contains("2 days of 13 hosts");
  }

  @Test
  void googleSamplesNeedTheirLog() {
    Cli.Result missing = Cli.run("reproduce", "hysteresis-google");

    assertThat(missing.exitCode()).isNotZero();
    assertThat(missing.err()).contains("hysteresis-google needs google2011-part0");
  }

  @Test
  void isReadAsItWasStored() throws IOException {
    try (StudyStore store = StudyStore.open(folder)) {
      store.keep(STUDY, setting(), result);

      StudyResult read = store.find(STUDY, setting()).orElseThrow();

      assertThat(read.blocks()).isEqualTo(result.blocks());
      assertThat(read.claims()).isEqualTo(result.claims());
      assertThat(read.series().get(1).toString()).isEqualTo(result.series().get(1).toString());
    }
  }
}
