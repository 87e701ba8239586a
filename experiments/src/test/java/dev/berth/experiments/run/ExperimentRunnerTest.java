package dev.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.experiments.Trials;
import dev.berth.experiments.store.CellJson;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.JobFile;
import dev.berth.simulator.Progress;
import dev.berth.simulator.metrics.AvailabilityFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunnerTest {

  private static final String SCALES = ",'scales':[1,0.5],'seeds':[1,2],'until':'15m'";

  @TempDir private Path inputs;
  @TempDir private Path folder;
  private final Log log = new Log();

  @BeforeEach
  void writeFiles() {
    Trials.writeFiles(inputs);
  }

  @Test
  void returnsResultsInOrderOfCells() throws IOException {
    Experiment experiment = Trials.onFiles(inputs, SCALES);
    List<CellResult> results = run(experiment, 1);
    assertThat(results.stream().map(CellResult::cell)).isEqualTo(experiment.cells());
    // An infinite host is the same at both scales.
    assertThat(log.lines).startsWith("10 to run, 0 kept").hasSize(1 + 2 * 10);
    assertThat(results.get(2).metrics()).isEqualTo(results.get(8).metrics());
  }

  @Test
  void parallelRunsGiveSameResults() throws IOException {
    Experiment experiment = Trials.onFiles(inputs, SCALES);
    List<CellResult> serial = run(experiment, 1);
    Map<Integer, List<Object>> expected = contents(serial);
    Path other = folder.resolve("other");
    try (CellStore store = CellStore.open(other)) {
      List<CellResult> parallel = new ExperimentRunner(store, 4, log).run(experiment);
      assertThat(contents(parallel)).isEqualTo(expected);
    }
  }

  @Test
  void skipsStoredCells() throws IOException {
    Map<Integer, List<Object>> first = contents(run(Trials.onFiles(inputs, SCALES), 2));
    log.lines.clear();
    assertThat(contents(run(Trials.onFiles(inputs, SCALES), 2))).isEqualTo(first);
    assertThat(log.lines).containsExactly("0 to run, 10 kept");

    log.lines.clear();
    run(Trials.onFiles(inputs, ",'scales':[1,0.5],'seeds':[1,2,3],'until':'15m'"), 2);
    assertThat(log.lines.get(0)).isEqualTo("5 to run, 10 kept");
  }

  @Test
  void storesAvailabilityOfEachRequest() throws IOException {
    CellResult priority = run(Trials.onFiles(inputs, ",'until':'15m'"), 1).get(0);
    List<Long> numbers = new ArrayList<>();
    AvailabilityFile.read(
        priority.stored().orElseThrow().availabilities(), (number, entry) -> numbers.add(number));
    assertThat(numbers).containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void recordsJobsOfCellsStoredWithoutThem() throws IOException {
    Experiment experiment = Trials.onFiles(inputs, SCALES);
    assertThat(run(experiment, 1)).allMatch(each -> !each.stored().orElseThrow().hasJobs());
    log.lines.clear();
    List<CellResult> results = runWithJobs(experiment, 2);
    assertThat(log.lines.get(0)).isEqualTo("10 to run, 0 kept");
    for (CellResult each : results) {
      List<String> ids = new ArrayList<>();
      JobFile.read(each.stored().orElseThrow().jobs(), job -> ids.add(job.id()));
      assertThat(ids).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    log.lines.clear();
    runWithJobs(experiment, 1);
    assertThat(run(experiment, 1)).hasSize(12);
    assertThat(log.lines).containsExactly("0 to run, 10 kept", "0 to run, 10 kept");
  }

  @Test
  void failedCellsLeaveNoJobs() throws IOException {
    Experiment experiment =
        Trials.load(
            inputs,
            "{'workloads':['validation-1'],'policies':['breaks'],'bounds':false,'until':'1m'}");
    assertThat(runWithJobs(experiment, 1)).allMatch(each -> each.stored().isEmpty());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString())).containsExactly(".lock");
    }
  }

  @Test
  void reportsPolicyFailureAndStoresNothing() throws IOException {
    Experiment experiment =
        Trials.load(
            inputs,
            "{'workloads':['validation-1'],'policies':['breaks','priority'],'bounds':false,"
                + "'until':'1m'}");
    List<CellResult> results = run(experiment, 2);
    assertThat(results.get(0).failure().orElseThrow()).contains("policy breaks", "out of ideas");
    assertThat(results.get(0).metrics()).isEmpty();
    assertThat(results.get(1).metrics()).isPresent();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .as("lock and one cell")
          .hasSize(2)
          .noneMatch(each -> each.endsWith(".draft"));
    }
    log.lines.clear();
    run(experiment, 2);
    assertThat(log.lines).startsWith("1 to run, 1 kept").contains("breaks failed");
  }

  @Test
  void propagatesErrorsOfVirtualMachine() throws IOException {
    Experiment experiment =
        Trials.load(inputs, "{'workloads':['validation-1'],'policies':['bursts'],'bounds':false}");
    try (CellStore store = CellStore.open(folder)) {
      ExperimentRunner runner = new ExperimentRunner(store, 2, log);
      assertThatThrownBy(() -> runner.run(experiment))
          .satisfiesAnyOf(
              each -> assertThat(each).isInstanceOf(StackOverflowError.class),
              each -> assertThat(each).hasRootCauseInstanceOf(StackOverflowError.class));
    }
  }

  @Test
  void detectsFileChangedDuringExperiment() throws IOException {
    Experiment experiment = Trials.onFiles(inputs, "");
    Trials.write(inputs, "requests.csv", Trials.REQUESTS.replace("9m,d", "8m,d") + "\n");
    try (CellStore store = CellStore.open(folder)) {
      ExperimentRunner runner = new ExperimentRunner(store, 2, log);
      assertThatThrownBy(() -> runner.run(experiment))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("requests.csv has changed since the experiment began");
      assertThat(CellKey.of(experiment.cells().get(0)))
          .satisfies(key -> assertThat(store.find(key, false)).isEmpty());
    }
    assertThat(run(Trials.onFiles(inputs, ""), 1))
        .hasSize(3)
        .allMatch(each -> each.metrics().isPresent());
  }

  @Test
  void failureStopsOtherRuns() throws IOException {
    Experiment experiment =
        Trials.load(inputs, "{'workloads':['validation-1'],'policies':['priority']}");
    ExperimentRunner.Listener fails =
        new ExperimentRunner.Listener() {
          @Override
          public Progress starts(Cell cell) {
            if (cell.policy().label().equals("priority")) {
              throw new IllegalArgumentException("no more");
            }
            return (simulated, fraction) -> {};
          }
        };
    try (CellStore store = CellStore.open(folder)) {
      assertThatThrownBy(() -> new ExperimentRunner(store, 3, fails).run(experiment))
          .hasMessage("no more");
    }
    CellStore.open(folder).close(); // no other run uses it
  }

  @Test
  void refusesFewerThanOneThread() throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      assertThatThrownBy(() -> new ExperimentRunner(store, 0, log))
          .hasMessage("parallel was 0, must be 1 or more.");
    }
  }

  private List<CellResult> run(Experiment experiment, int parallel) throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      return new ExperimentRunner(store, parallel, log).run(experiment);
    }
  }

  private List<CellResult> runWithJobs(Experiment experiment, int parallel) throws IOException {
    try (CellStore store = CellStore.open(folder)) {
      return new ExperimentRunner(store, parallel, log, true).run(experiment);
    }
  }

  /** Returns the measurements and the availability of each request, by cell. */
  private static Map<Integer, List<Object>> contents(List<CellResult> results) throws IOException {
    Map<Integer, List<Object>> contents = new HashMap<>();
    for (int i = 0; i < results.size(); i++) {
      List<String> entries = new ArrayList<>();
      AvailabilityFile.read(
          results.get(i).stored().orElseThrow().availabilities(),
          (number, entry) -> entries.add(number + " " + entry));
      contents.put(i, List.of(CellJson.line(results.get(i).metrics().orElseThrow()), entries));
    }
    return contents;
  }

  /** Records the calls. */
  private static final class Log implements ExperimentRunner.Listener {

    private final List<String> lines = new ArrayList<>();

    @Override
    public void begins(int toRun, int kept) {
      lines.add("%s to run, %s kept".formatted(toRun, kept));
    }

    @Override
    public Progress starts(Cell cell) {
      lines.add(cell.policy().label() + " starts");
      return (simulated, fraction) -> {};
    }

    @Override
    public void ends(Cell cell, RunOutcome outcome) {
      boolean failed = outcome instanceof RunOutcome.Failed;
      lines.add(cell.policy().label() + (failed ? " failed" : " ended"));
    }
  }
}
