package dev.berth.experiments.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.Trials;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.CellExecutor;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.LocalCells;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.StoredCell;
import dev.berth.simulator.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of one machine in this process, which has copies of the inputs elsewhere. */
class ClusterCellsTest {

  private static final String TEXT =
      """
      {"workloads": ["requests.csv", "csv:large.csv"], "infrastructures": ["hosts.csv"],
       "policies": ["qos-driven"], "bounds": false, "until": "20m", "seeds": [1, 2],
       "events": "failures.csv"}
      """;

  @TempDir private Path folder;
  private final List<String> order = new ArrayList<>();
  private UnaryOperator<List<byte[]>> onTheWay = result -> result;

  @BeforeEach
  void writeFiles() {
    Trials.writeFiles(folder);
    Trials.write(folder, "large.csv", Trials.REQUESTS + "10m,e,gold,3m,1,1\n");
    Trials.write(folder, "failures.csv", "time,host,event\n60s,h1,fails\n");
  }

  @Test
  void resultsAreThoseOfThisProcess() throws IOException {
    List<CellResult> local = run("local", new LocalCells(1));
    List<CellResult> remote = run("remote", cells(this::runWithCopies));
    assertThat(remote).hasSize(4);
    for (int i = 0; i < remote.size(); i++) {
      assertThat(remote.get(i).metrics()).isPresent().isEqualTo(local.get(i).metrics());
      StoredCell its = remote.get(i).stored().orElseThrow();
      assertThat(its.hasJobs()).isTrue();
      assertThat(its.record())
          .usingRecursiveComparison()
          .isEqualTo(local.get(i).stored().orElseThrow().record());
    }
    assertThat(order)
        .as("largest first")
        .containsExactly("large.csv", "large.csv", "requests.csv", "requests.csv");
  }

  @Test
  void damagedResultsAreRefused() {
    onTheWay =
        result -> {
          byte[] half = Arrays.copyOf(result.get(1), result.get(1).length / 2);
          return List.of(result.get(0), half);
        };
    assertThatThrownBy(() -> run("remote", cells(this::runWithCopies)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("was damaged on its way");
  }

  @Test
  void otherInputsAreRefused() {
    Cluster stale =
        (work, results) -> {
          Trials.write(folder, "hosts.csv", Trials.HOSTS + "h3,2,4\n");
          String key = work.keys().get(0);
          results.ends(key, worker(work, Map.of()).apply(key), "here");
        };
    assertThatThrownBy(() -> run("remote", cells(stale)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the code or the inputs of this machine differ");
  }

  private void runWithCopies(ClusterWork work, Cluster.Results results) {
    Map<String, String> copies = new HashMap<>();
    for (Path each : work.inputs()) {
      try {
        Path copy = Files.createTempDirectory(folder, "copy").resolve(each.getFileName());
        copies.put(each.toString(), Files.move(each, copy).toString());
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    Function<String, List<byte[]>> worker = worker(work, copies);
    for (String each : work.keys()) {
      results.starts(each);
      results.ends(each, onTheWay.apply(worker.apply(each)), "here");
    }
  }

  private static Function<String, List<byte[]>> worker(
      ClusterWork work, Map<String, String> located) {
    return CellWorker.start(
        work.name(), work.text(), work.folder().toString(), work.recordsJobs(), List.of(), located);
  }

  private CellExecutor cells(Cluster cluster) {
    return new ClusterCells(cluster, "trial", TEXT, folder, List.of());
  }

  private List<CellResult> run(String store, CellExecutor executor) throws IOException {
    Experiment experiment = ExperimentLoader.load(Trials.spec(TEXT), folder, PolicyRegistry.load());
    ExperimentRunner.Listener listener =
        new ExperimentRunner.Listener() {
          @Override
          public Progress starts(Cell cell) {
            order.add(cell.setting().workload());
            return (now, fraction) -> {};
          }
        };
    order.clear();
    try (CellStore cells = CellStore.open(folder.resolve(store))) {
      return new ExperimentRunner(cells, executor, listener, true).run(experiment);
    }
  }
}
