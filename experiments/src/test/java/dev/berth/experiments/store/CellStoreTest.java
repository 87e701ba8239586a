package dev.berth.experiments.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import dev.berth.experiments.Trials;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.simulator.metrics.RunMetrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final List<String> KEYS = List.of(KEY, "abcdef", "9876543210fedcba");

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
    Files.createSymbolicLink(cells.resolve("k.jobs.draft"), victim);
    Files.writeString(cells.resolve("k.availabilities.draft"), "half");
    try (CellStore store = CellStore.open(cells)) {
      assertThat(cells.resolve("k.jobs.draft")).doesNotExist();
      assertThat(store.draft("k")).doesNotExist();
      Files.writeString(store.draft("k"), "failed");
    }
    assertThat(cells.resolve("k.availabilities.draft")).doesNotExist();
    assertThat(victim).hasContent("precious");
  }

  @Test
  void jsonRoundTripKeepsMetricsAndBytes() throws IOException {
    assertThat(metrics.intervals()).isNotEmpty();
    byte[] deflated = CellJson.deflated(metrics);
    assertThat(CellJson.metrics(new ByteArrayInputStream(deflated))).isEqualTo(metrics);
    assertThat(CellJson.totals(new ByteArrayInputStream(deflated))).isEqualTo(metrics.result());
    assertThat(CellJson.deflated(CellJson.metrics(new ByteArrayInputStream(deflated))))
        .isEqualTo(deflated);
  }

  @Test
  void findsStoredCells() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keep(store, KEY);
      requireFound(store, KEY);
      assertThat(store.find("another", false)).isEmpty();
    }
    try (CellStore later = CellStore.open(folder)) {
      requireFound(later, KEY);
      keep(later, "another");
    }
    try (CellStore last = CellStore.open(folder)) {
      requireFound(last, KEY, "another");
      assertThat(logs(folder)).hasSize(2);
    }
  }

  @Test
  void aStoreThatIsOnlyReadGetsNoFile() throws IOException {
    CellStore.open(folder).close();
    assertThat(logs(folder)).isEmpty();
  }

  /** A killed process leaves the start of what it was to write. */
  @Test
  void logTornAtAnyByteHasTheCellsBefore(@TempDir Path torn) throws IOException {
    List<byte[]> records = storeThree();
    byte[] whole = Files.readAllBytes(logs(folder).get(0));
    int before = records.get(0).length + records.get(1).length;
    for (int size = before; size < whole.length; size++) {
      Files.write(torn.resolve("torn.cells"), Arrays.copyOf(whole, size));
      try (CellStore store = CellStore.open(torn)) {
        assertThat(store.find(KEYS.get(0), false)).as("%s bytes", size).isPresent();
        assertThat(store.find(KEYS.get(1), false)).as("%s bytes", size).isPresent();
        assertThat(store.find(KEYS.get(2), false)).as("%s bytes", size).isEmpty();
      }
    }
    try (CellStore resumed = CellStore.open(torn)) {
      keep(resumed, KEYS.get(2));
      requireFound(resumed, KEYS.toArray(String[]::new));
    }
  }

  @Test
  void aDamagedByteLosesOneCellAtMost(@TempDir Path damaged) throws IOException {
    List<byte[]> records = storeThree();
    byte[] whole = Files.readAllBytes(logs(folder).get(0));
    int from = records.get(0).length;
    for (int i = from; i < from + records.get(1).length; i += 3) {
      byte[] changed = whole.clone();
      changed[i] ^= (byte) (1 << i % 8);
      Files.write(damaged.resolve("damaged.cells"), changed);
      try (CellStore store = CellStore.open(damaged)) {
        assertThat(store.find(KEYS.get(0), false)).as("byte %s", i).isPresent();
        assertThat(store.find(KEYS.get(1), false)).as("byte %s", i).isEmpty();
        assertThat(store.find(KEYS.get(2), false)).as("byte %s", i).isPresent();
      }
    }
  }

  /** Stores three cells in one file, and returns their records. */
  private List<byte[]> storeThree() throws IOException {
    List<byte[]> records = new ArrayList<>();
    try (CellStore store = CellStore.open(folder)) {
      for (String each : KEYS) {
        keep(store, each);
        records.add(concat(found(store, each).record()));
      }
    }
    return records;
  }

  private static byte[] concat(List<byte[]> parts) {
    return Bytes.concat(parts.toArray(byte[][]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"of another cell", "empty", "not a text", "a folder", "a link"})
  void ignoresWhatIsNotItsOwn(String content) throws IOException {
    storeThree();
    Path log = logs(folder).get(0);
    byte[] whole = Files.readAllBytes(log);
    Files.delete(log);
    switch (content) {
      case "of another cell" ->
          Files.writeString(
              log,
              new String(whole, StandardCharsets.ISO_8859_1).replace(KEY, "f" + KEY.substring(1)),
              StandardCharsets.ISO_8859_1);
      case "empty" -> Files.createFile(log);
      case "not a text" -> Files.write(log, new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 10, 1});
      case "a folder" -> Files.createDirectory(log);
      default -> Files.createSymbolicLink(log, Files.write(inputs.resolve("elsewhere"), whole));
    }
    try (CellStore store = CellStore.open(folder)) {
      assertThat(store.find(KEY, false)).isEmpty();
      assertThat(store.find("f" + KEY.substring(1), false)).isEmpty();
      keep(store, KEY);
      requireFound(store, KEY);
    }
  }

  @Test
  void unitedFoldersHaveTheCellsOfAll(@TempDir Path one, @TempDir Path other) throws IOException {
    try (CellStore first = CellStore.open(one);
        CellStore second = CellStore.open(other)) {
      keep(first, KEYS.get(0));
      keep(first, KEYS.get(1));
      keep(second, KEYS.get(1)); // both have it
      keep(second, KEYS.get(2));
    }
    for (Path from : List.of(one, other)) {
      for (Path each : logs(from)) {
        Files.copy(each, folder.resolve(each.getFileName()));
      }
    }
    try (CellStore united = CellStore.open(folder)) {
      requireFound(united, KEYS.toArray(String[]::new));
    }
    // One of the two that have it is damaged.
    byte[] damaged = Files.readAllBytes(logs(one).get(0));
    damaged[damaged.length - 1]++;
    Files.write(folder.resolve(logs(one).get(0).getFileName()), damaged);
    try (CellStore united = CellStore.open(folder)) {
      requireFound(united, KEYS.toArray(String[]::new));
    }
  }

  @Test
  void cellWithJobsServesBothKindsOfRuns() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keepWithJobs(store);
    }
    try (CellStore later = CellStore.open(folder)) {
      requireFound(later, KEY);
      StoredCell found = later.find(KEY, true).orElseThrow();
      assertThat(found.jobs()).hasBinaryContent(new byte[] {5, 6});
    }
  }

  @Test
  void cellWithoutJobsIsMissingIfTheyAreWanted() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      keep(store, KEY);
      assertThat(store.find(KEY, true)).isEmpty();
      StoredCell without = found(store, KEY);
      assertThatThrownBy(without::jobs).hasMessageEndingWith("has no jobs.");
      keepWithJobs(store);
      keep(store, KEY); // later, and without them
      assertThat(store.find(KEY, true)).isPresent();
    }
  }

  @Test
  void errorsNameTheFile() throws IOException {
    StoredCell cell;
    try (CellStore store = CellStore.open(folder)) {
      keepWithJobs(store);
      cell = found(store, KEY);
    }
    Path log = logs(folder).get(0);
    Files.delete(log);
    assertThatThrownBy(cell::metrics)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(log.toString());
    assertThatThrownBy(cell::jobs).hasMessageContaining(log.toString());
  }

  @Test
  void adoptsRecordsOfAnotherStore(@TempDir Path other) throws IOException {
    try (CellStore store = CellStore.open(folder);
        CellStore second = CellStore.open(other)) {
      keepWithJobs(store);
      List<byte[]> record = found(store, KEY).record();
      assertThat(second.adopt(KEY, record).metrics()).isEqualTo(metrics);
      assertThat(concat(found(second, KEY).record())).isEqualTo(concat(record));
      record.get(1)[10]++;
      try (CellStore third = CellStore.open(other.resolve("third"))) {
        assertThatThrownBy(() -> third.adopt(KEY, record))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(KEY + " was damaged on its way");
      }
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
      keep(store, KEY); // replaces the draft
      requireFound(store, KEY);
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
      keep(first, KEY);
    }
    CellStore.open(folder).close();
  }

  @Test
  void unlocksFolderThatCannotBeOpened() throws IOException {
    Path draft = Files.createDirectories(folder.resolve("k.jobs.draft").resolve("in the way"));
    assertThatThrownBy(() -> CellStore.open(folder))
        .isInstanceOf(DirectoryNotEmptyException.class)
        .hasMessageContaining("k.jobs.draft");
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
      keep(first, KEY);
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
    keep(store, KEY);
    Path its = store.draft(KEY).getParent();
    assertThat(its).isDirectory();
    store.close();
    assertThat(its).doesNotExist();
  }

  private void keep(CellStore store, String key) throws IOException {
    Files.write(store.draft(key), new byte[] {1, 2, 3, 4});
    store.keep(key, metrics, false);
  }

  private static StoredCell found(CellStore store, String key) throws IOException {
    return store.find(key, false).orElseThrow();
  }

  private void requireFound(CellStore store, String... keys) throws IOException {
    for (String each : keys) {
      assertThat(found(store, each).metrics()).isEqualTo(metrics);
      assertThat(found(store, each).totals()).isEqualTo(metrics.result());
      assertThat(found(store, each).availabilities()).hasBinaryContent(new byte[] {1, 2, 3, 4});
    }
  }

  private static List<Path> logs(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> each.toString().endsWith(".cells")).toList();
    }
  }
}
