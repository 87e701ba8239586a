package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.Durations;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reproductions of several studies: their progress, their page so far, and how they resume. */
class ReproductionTest {

  private static final StudyResult NOTHING = new StudyResult(List.of(), List.of(), List.of());

  @TempDir private Path folder;
  private final StringWriter printed = new StringWriter();
  private final PrintWriter err = new PrintWriter(printed);
  private final List<String> ran = new ArrayList<>();
  private long now; // in nanoseconds

  private final class Trial implements Study {

    private final String name;
    private final String usual;
    private final Consumer<Setting> work;

    Trial(String name, String usual, Consumer<Setting> work) {
      this.name = name;
      this.usual = usual;
      this.work = work;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String title() {
      return name;
    }

    @Override
    public Optional<Duration> duration() {
      return usual.isEmpty() ? Optional.empty() : Optional.of(Durations.parse(usual));
    }

    @Override
    public StudyResult run(Setting setting) {
      ran.add(name);
      work.accept(setting);
      return NOTHING;
    }
  }

  private Trial study(String name, String usual) {
    return new Trial(name, usual, setting -> {});
  }

  private Reproduction reproduction(List<Study> studies, StudyResults results) {
    ProgressDisplay display = ProgressDisplay.inLog(err, () -> now);
    Reproduction reproduction = new Reproduction(studies, results, display, err);
    begin(reproduction, reproduction.cells());
    return reproduction;
  }

  private static void begin(Reproduction reproduction, Optional<CellStore> cells) {
    reproduction.begin(
        study ->
            new Study.Setting(
                PolicyRegistry.of(),
                "",
                1,
                Study.Hosts.PUBLISHED,
                reproduction.listener(study),
                reproduction.steps(),
                cells));
  }

  // ---- Durations

  @Test
  void longStudiesAreAnnounced() {
    assertThat(Reproduction.announcement(List.of(study("a", "59s")))).isEmpty();
    assertThat(Reproduction.announcement(List.of(study("a", "90s"))))
        .contains("This takes about 1m30s on two cores.");
    assertThat(Reproduction.announcement(List.of(study("a", "2m"), study("b", "10m40s"))))
        .contains("This takes about 12m on two cores, 10m of it for b.");
    assertThat(Reproduction.announcement(List.of(study("a", "2m"), study("b", ""))))
        .contains(
            "This takes about 2m on two cores, 2m of it for a, without 1 study that was not measured.");
  }

  @Test
  void estimateFollowsPaceOfThisMachine() {
    ProgressDisplay[] shown = new ProgressDisplay[1];
    shown[0] = ProgressDisplay.inLog(err, () -> now);
    List<Study> studies =
        List.of(
            new Trial("a", "10s", setting -> now += TimeUnit.SECONDS.toNanos(20)),
            new Trial(
                "b",
                "30s",
                setting -> {
                  setting.steps().reached("priority, seed 3", 4, 10);
                  now += TimeUnit.SECONDS.toNanos(15);
                  shown[0].refresh();
                }),
            study("c", "1m"));
    Reproduction reproduction = new Reproduction(studies, StudyResults.open(null), shown[0], err);
    begin(reproduction, Optional.empty());
    studies.forEach(reproduction::run);
    assertThat(printed.toString().lines())
        .containsExactly(
            "This takes about 1m40s on two cores, 1m of it for c.",
            "b (2 of 3): run 5 of 10, priority, seed 3, 35s so far, about 2m45s left");
  }

  // ---- Resuming

  @Test
  void interruptedReproductionResumes() {
    List<Study> studies =
        List.of(
            study("a", ""),
            new Trial(
                "b",
                "",
                setting -> {
                  if (ran.size() == 2) {
                    throw new IllegalStateException("interrupted");
                  }
                }));
    try (StudyResults results = StudyResults.open(folder)) {
      Reproduction first = reproduction(studies, results);
      first.run(studies.get(0));
      assertThat(first.outstanding()).containsExactly(studies.get(1));
      assertThat(first.done()).isEqualTo("1 of 2 studies");
      try {
        first.run(studies.get(1));
      } catch (IllegalStateException expected) {
        assertThat(expected).hasMessage("interrupted");
      }
    }
    try (StudyResults results = StudyResults.open(folder)) {
      Reproduction second = reproduction(studies, results);
      studies.forEach(second::run);
      assertThat(second.outstanding()).isEmpty();
    }
    assertThat(ran).containsExactly("a", "b", "b");
    assertThat(printed.toString()).contains("1 of 2 studies are stored already.");
  }

  @Test
  void resumedCommandPrintsAndWritesTheSame() throws IOException {
    Cli.Result fresh = reproduce("one", "memic-1");
    Cli.Result resumed = reproduce("two", "memic-1");
    assertThat(fresh.err()).isEmpty();
    assertThat(resumed.err()).isEqualToNormalizingNewlines("1 of 1 studies are stored already.\n");
    assertThat(resumed.out()).isEqualTo(fresh.out());
    for (String each : List.of("index.html", "memic-1-jobs.csv", "memic-1-totals.csv")) {
      assertThat(folder.resolve("two").resolve(each))
          .hasSameTextualContentAs(folder.resolve("one").resolve(each));
    }
  }

  private Cli.Result reproduce(String page, String study) {
    Cli.Result result =
        Cli.run(
            "reproduce",
            study,
            "--resume",
            folder.resolve("results").toString(),
            "--report",
            folder.resolve(page).toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result;
  }

  @Test
  void refusesFileAsFolder() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    Cli.Result result = Cli.run("reproduce", "memic-1", "--resume", file.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .startsWith("berth: --resume \"%s\" cannot store results: it is a file.".formatted(file));
  }

  // ---- The page as it grows

  @Test
  void pageHasStudiesSoFarIfLaterOneFails() throws IOException {
    Path log = Files.writeString(folder.resolve("log.swf"), "this is no log\n");
    Path page = folder.resolve("page");
    Cli.Result result =
        Cli.run(
            "reproduce",
            "memic-1",
            "queues-cea",
            "--log",
            log.toString(),
            "--report",
            page.toString());
    assertThat(result.exitCode()).isNotZero();
    assertThat(page.resolve("index.html"))
        .content()
        .contains("<h2 id=\"memic-1\"")
        .contains("This page is incomplete: it has 1 of 2 studies. Outstanding: queues-cea.");
    try (Stream<Path> files = Files.list(page)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .contains("memic-1-jobs.csv")
          .noneMatch(each -> each.endsWith(".tmp"));
    }
  }

  @Test
  void listShowsDurations() {
    assertThat(Cli.run("reproduce").outLines())
        .anyMatch(line -> line.startsWith("memic-1 ") && line.contains("; about "));
  }
}
