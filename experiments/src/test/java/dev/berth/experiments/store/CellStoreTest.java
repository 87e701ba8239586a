package dev.berth.experiments.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.experiments.Trials;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.simulator.metrics.RunMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellStoreTest {

  private static final String KEY = "0123456789abcdef";

  @TempDir private Path inputs;
  @TempDir private Path folder;
  private RunMetrics metrics;

  @BeforeEach
  void createMetrics() {
    Trials.writeFiles(inputs);
    Cell cell = Trials.onFiles(inputs, ",'metrics':{'interval':'1m'}").cells().get(0);
    metrics = ((RunOutcome.Finished) cell.run((now, fraction) -> {}, List.of())).metrics();
  }

  @Test
  void deletesDraftsThatAKilledRunLeft(@TempDir Path cells) throws IOException {
    Path victim = Files.writeString(cells.resolve("victim"), "precious");
    Files.createSymbolicLink(cells.resolve("k.cell.draft"), victim);
    Files.writeString(cells.resolve("k.availabilities.draft"), "half");
    try (CellStore store = CellStore.open(cells)) {
      assertThat(cells.resolve("k.cell.draft")).doesNotExist();
      assertThat(store.draft("k")).doesNotExist();
      Files.writeString(store.draft("k"), "failed");
    }
    assertThat(cells.resolve("k.availabilities.draft")).doesNotExist();
    assertThat(victim).hasContent("precious");
  }

  @Test
  void jsonRoundTripKeepsMetricsAndBytes() throws IOException {
    assertThat(metrics.intervals()).isNotEmpty();
    String line = CellJson.line(metrics);
    assertThat(CellJson.metrics(line)).isEqualTo(metrics);
    assertThat(CellJson.line(CellJson.metrics(line))).isEqualTo(line);
  }

  @Test
  void findsStoredCells() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keep(store);
      assertThat(store.find(KEY, false)).contains(metrics);
      assertThat(store.find("another", false)).isEmpty();
      assertThat(store.availabilities(KEY)).hasBinaryContent(new byte[] {1, 2, 3, 4});
    }
    try (CellStore later = CellStore.open(folder)) {
      assertThat(later.find(KEY, false)).contains(metrics);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no measurements",
        "no availabilities",
        "half of the measurements",
        "a digit",
        "not a text",
        "nothing",
        "null",
        "a folder",
        "half of the availabilities",
        "other availabilities",
        "of another cell"
      })
  void ignoresDamagedCells(String damage) throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keep(store);
      Path file = measured();
      byte[] content = Files.readAllBytes(file);
      String text = new String(content, StandardCharsets.UTF_8);
      Path availabilities = store.availabilities(KEY);
      String key = KEY;
      switch (damage) {
        case "no measurements" -> Files.delete(file);
        case "no availabilities" -> Files.delete(availabilities);
        case "half of the measurements" ->
            Files.write(file, Arrays.copyOf(content, content.length / 2));
        case "a digit" ->
            Files.writeString(file, text.replaceFirst("\"served\":\\d", "\"served\":8"));
        case "not a text" -> Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 10, 1});
        case "nothing" -> Files.write(file, new byte[0]);
        case "null" -> Files.writeString(file, text.substring(0, text.indexOf('\n') + 1) + "null");
        case "a folder" -> {
          Files.delete(file);
          Files.createDirectory(file);
        }
        case "half of the availabilities" -> Files.write(availabilities, new byte[] {1, 2});
        case "other availabilities" -> Files.write(availabilities, new byte[] {1, 2, 3, 5});
        default -> {
          key = "fedcba9876543210";
          Files.copy(file, folder.resolve(String.valueOf(file.getFileName()).replace(KEY, key)));
          Files.copy(availabilities, store.availabilities(key));
        }
      }
      assertThat(store.find(key, false)).as(damage).isEmpty();
      if (!damage.equals("a folder")) {
        keep(store);
        assertThat(store.find(KEY, false)).as("run again").contains(metrics);
      }
    }
  }

  @Test
  void cellWithJobsServesBothKindsOfRuns() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keepWithJobs(store);
      assertThat(store.jobs(KEY)).hasBinaryContent(new byte[] {5, 6});
    }
    try (CellStore later = CellStore.open(folder)) {
      assertThat(later.find(KEY, true)).contains(metrics);
      assertThat(later.find(KEY, false)).contains(metrics);
    }
  }

  @Test
  void cellWithoutJobsIsMissingIfTheyAreWanted() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keep(store);
      assertThat(store.find(KEY, true)).isEmpty();
      Files.write(store.jobs(KEY), new byte[] {5, 6}); // as after a kill between two moves
      assertThat(store.find(KEY, true)).isEmpty();
      keepWithJobs(store);
      assertThat(store.find(KEY, true)).contains(metrics);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "half", "other"})
  void ignoresDamagedJobs(String damage) throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keepWithJobs(store);
      switch (damage) {
        case "missing" -> Files.delete(store.jobs(KEY));
        case "half" -> Files.write(store.jobs(KEY), new byte[] {5});
        default -> Files.write(store.jobs(KEY), new byte[] {5, 7});
      }
      assertThat(store.find(KEY, true)).isEmpty();
      assertThat(store.find(KEY, false)).contains(metrics);
    }
  }

  private void keepWithJobs(CellStore store) throws IOException {
    Files.write(store.draft(KEY), new byte[] {1, 2, 3, 4});
    Files.write(store.jobsDraft(KEY), new byte[] {5, 6});
    store.keep(KEY, metrics, true);
  }

  @Test
  void ignoresDrafts() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      Files.write(store.draft(KEY), new byte[] {1, 2});
      assertThat(store.find(KEY, false)).isEmpty();
      keep(store); // replaces the draft
      assertThat(store.find(KEY, false)).contains(metrics);
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).noneMatch(each -> each.toString().endsWith(".draft"));
      }
    }
  }

  @Test
  void locksFolder() throws IOException {
    try (CellStore first = CellStore.open(folder)) {
      assertThatThrownBy(() -> CellStore.open(folder))
          .isInstanceOf(IOException.class)
          .hasMessage("another run is using it");
      keep(first);
    }
    CellStore.open(folder).close();
  }

  @Test
  void unlocksFolderThatCannotBeOpened() throws IOException {
    Path draft = Files.createDirectories(folder.resolve("k.cell.draft").resolve("in the way"));
    assertThatThrownBy(() -> CellStore.open(folder))
        .isInstanceOf(DirectoryNotEmptyException.class)
        .hasMessageContaining("k.cell.draft");
    Files.delete(draft);
    CellStore.open(folder).close();
  }

  @Test
  void refusesFile() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "kept");
    assertThatThrownBy(() -> CellStore.open(file)).hasMessage("it is a file");
    assertThat(file).hasContent("kept");
  }

  @Test
  void locksFolderAcrossProcesses() throws Exception {
    try (CellStore first = CellStore.open(folder)) {
      assertThat(otherProcess()).isEqualTo("another run is using it");
      keep(first);
    }
    assertThat(otherProcess()).isEqualTo("opened");
  }

  private String otherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    return said;
  }

  /** Opens the folder in another process. */
  static final class Opener {

    private Opener() {}

    public static void main(String[] args) {
      try {
        CellStore.open(Path.of(args[0])).close();
        System.out.print("opened");
      } catch (IOException refused) {
        System.out.print(refused.getMessage());
      }
    }
  }

  @Test
  void deletesTemporaryStore() throws IOException {
    CellStore store = CellStore.temporary();
    keep(store);
    Path its = store.availabilities(KEY).getParent();
    assertThat(its).isDirectory();
    store.close();
    assertThat(its).doesNotExist();
  }

  private void keep(CellStore store) throws IOException {
    Files.write(store.draft(KEY), new byte[] {1, 2, 3, 4});
    store.keep(KEY, metrics, false);
  }

  private Path measured() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(
              each -> each.getFileName().toString().matches(KEY + "\\.(?!availabilities|jobs).*"))
          .findFirst()
          .orElseThrow();
    }
  }
}
