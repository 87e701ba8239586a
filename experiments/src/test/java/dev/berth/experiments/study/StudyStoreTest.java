package dev.berth.experiments.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.studies.PublishedStudies;
import dev.berth.experiments.studies.memory.MemoryStudy;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Details;
import dev.berth.report.Facts;
import dev.berth.report.Grid;
import dev.berth.report.Heading;
import dev.berth.report.LineChart;
import dev.berth.report.MarkdownText;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Point;
import dev.berth.report.Preformatted;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyStoreTest {

  @TempDir private Path folder;

  private static StudyResult small() {
    CsvText series = new CsvText("numbers", "na,me", "value");
    series.row("a, \"b\"", 1 / 3.0);
    return new StudyResult(
        List.of(new Heading("one"), Text.of("two")),
        List.of(
            Claim.of("first", "it holds", "1", "2", true).with(List.of("detail")),
            Claim.undefined("second", "it is undefined", "")),
        List.of(series));
  }

  private record Fixed(String name, StudyResult result) implements Study {

    @Override
    public String title() {
      return name;
    }

    @Override
    public StudyResult run(Setting setting) {
      return result;
    }
  }

  private static Study.Setting setting(long seed) {
    return new Study.Setting(PolicyRegistry.of(), "", seed);
  }

  private static void requireEqual(StudyResult one, StudyResult other) {
    assertThat(one.blocks()).isEqualTo(other.blocks());
    assertThat(one.claims()).isEqualTo(other.claims());
    assertThat(one.series()).extracting(CsvText::name).isEqualTo(names(other));
    assertThat(one.series())
        .extracting(CsvText::toString)
        .isEqualTo(other.series().stream().map(CsvText::toString).toList());
  }

  private static List<String> names(StudyResult result) {
    return result.series().stream().map(CsvText::name).toList();
  }

  // ---- As JSON

  @Test
  void resultOfRealStudyIsReadAsItWasWritten() {
    StudyResult result = MemoryStudy.first().run(new Study.Setting(PolicyRegistry.load(), "", 1));
    requireEqual(StudyJson.parse(StudyJson.text(result)), result);
  }

  @Test
  void blocksAreReadAsTheyWereWritten() {
    LineChart chart =
        LineChart.of(
            "chart",
            "title",
            "description",
            Axis.of("x", "s"),
            Axis.of("y", ""),
            List.of(LineChart.Line.of("line", List.of(new Point(0.1, 1e-9), new Point(2, 3)))));
    List<Block> blocks =
        List.of(
            new Heading("heading"),
            Text.bullets("one", "two"),
            new Facts(List.of(new Facts.Fact("key", "label", Table.Cell.of(1.5, 1)))),
            Table.builder("table", "caption")
                .column(Table.Column.ofText("name"))
                .column(Table.Column.ofNumbers("value", "s"))
                .group("group")
                .row(Table.Cell.of("a"), Table.Cell.of(2.25, 0.5, 2).asBest())
                .row(Table.Cell.of("b"), Table.Cell.absent())
                .build(),
            new Grid(2, List.of(chart)),
            new Stack(List.of(chart, new Details("summary", "text"))),
            new Preformatted("sh", "ls"),
            new MarkdownText("notes", "### Notes\n"),
            OnlyFor.of(Medium.HTML, chart));
    StudyResult result = new StudyResult(blocks, List.of(), List.of());
    requireEqual(StudyJson.parse(StudyJson.text(result)), result);
  }

  // ---- In a folder

  @Test
  void storedResultIsFoundAgain() throws IOException {
    Study study = new Fixed("study", small());
    try (StudyStore store = StudyStore.open(folder)) {
      assertThat(store.find(study, setting(1))).isEmpty();
      store.keep(study, setting(1), small());
    }
    try (StudyStore store = StudyStore.open(folder)) {
      requireEqual(store.find(study, setting(1)).orElseThrow(), small());
      assertThat(store.find(study, setting(2))).as("another seed").isEmpty();
      assertThat(store.find(new Fixed("other", small()), setting(1))).isEmpty();
    }
  }

  @Test
  void resultOfOtherInputIsNotFound() throws IOException {
    Path input = Files.writeString(folder.resolve("input"), "one");
    Study.Setting setting = new Study.Setting(PolicyRegistry.of(), input.toString(), 1);
    Study study = new Fixed("study", small());
    try (StudyStore store = StudyStore.open(folder.resolve("store"))) {
      store.keep(study, setting, small());
      assertThat(store.find(study, setting)).isPresent();
      Files.writeString(input, "two");
      assertThat(store.find(study, setting)).isEmpty();
    }
  }

  @Test
  void damagedResultIsMissing() throws IOException {
    Study study = new Fixed("study", small());
    try (StudyStore store = StudyStore.open(folder)) {
      store.keep(study, setting(1), small());
      Path file = onlyFile(".study");
      String text = Files.readString(file);
      Files.writeString(file, text.replace("two", "too"));
      assertThat(store.find(study, setting(1))).isEmpty();
      Files.writeString(file, text.substring(0, 20));
      assertThat(store.find(study, setting(1))).isEmpty();
    }
  }

  private Path onlyFile(String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Optional<Path> file = files.filter(each -> each.toString().endsWith(ending)).findFirst();
      return file.orElseThrow();
    }
  }

  // ---- Durations

  @Test
  void durationsBelongToStudies() {
    List<String> names = PublishedStudies.all().stream().map(Study::name).toList();
    assertThat(names).doesNotHaveDuplicates().containsAll(StudyDurations.names());
    assertThat(StudyDurations.of("memic-1").orElseThrow()).isPositive();
    assertThat(StudyDurations.of("unknown")).isEmpty();
  }
}
