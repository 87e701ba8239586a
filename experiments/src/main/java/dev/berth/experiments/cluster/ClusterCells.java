package dev.berth.experiments.cluster;

import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.CellExecutor;
import dev.berth.experiments.run.ExperimentFailedException;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Runs the cells of an experiment on a cluster. Listeners learn that cells start and end, and not
 * what happens in them.
 */
public final class ClusterCells implements CellExecutor {

  private final Cluster cluster;
  private final String name;
  private final String text;
  private final Path folder;
  private final List<Path> plugins;

  /**
   * Creates an executor.
   *
   * @param cluster runs the cells
   * @param name of the experiment's file, for messages
   * @param text of the experiment
   * @param folder that relative paths in the text start from
   * @param plugins jars with further policies
   */
  public ClusterCells(Cluster cluster, String name, String text, Path folder, List<Path> plugins) {
    this.cluster = cluster;
    this.name = name;
    this.text = text;
    this.folder = folder.toAbsolutePath();
    this.plugins = plugins.stream().map(Path::toAbsolutePath).toList();
  }

  @Override
  public Map<String, RunOutcome.Failed> run(
      Map<String, Cell> cells,
      CellStore store,
      boolean recordsJobs,
      ExperimentRunner.Listener listener) {
    if (cells.isEmpty()) {
      return Map.of();
    }
    Collected collected = new Collected(cells, store, listener, new HashMap<>(), new HashSet<>());
    ExperimentSpec spec = ExperimentSpec.parse(name, text);
    cluster.run(
        new ClusterWork(
            largestFirst(cells),
            name,
            text,
            folder,
            recordsJobs,
            WorkerCode.locations(),
            plugins,
            ExperimentLoader.inputs(spec, folder)),
        collected);
    return collected.failures();
  }

  /**
   * Orders by the number of requests, since events are in proportion; unknown numbers are large.
   */
  private static List<String> largestFirst(Map<String, Cell> cells) {
    Map<String, Long> sizes = new HashMap<>();
    cells.forEach(
        (key, cell) ->
            sizes.put(
                key,
                cell.setting().settings().scenario().workload().size().orElse(Long.MAX_VALUE)));
    return cells.keySet().stream()
        .sorted(Comparator.<String, Long>comparing(sizes::get).reversed())
        .toList();
  }

  /** The results so far. */
  private record Collected(
      Map<String, Cell> cells,
      CellStore store,
      ExperimentRunner.Listener listener,
      Map<String, RunOutcome.Failed> failures,
      Set<String> ended)
      implements Cluster.Results {

    @Override
    public void starts(String key) {
      synchronized (listener) {
        if (!ended.contains(key)) {
          listener.starts(cell(key));
        }
      }
    }

    @Override
    public void ends(String key, List<byte[]> result, String machine) {
      RunOutcome outcome;
      try {
        outcome =
            result.size() == 1
                ? failed(new String(result.get(0), StandardCharsets.UTF_8), machine)
                : new RunOutcome.Finished(store.adopt(key, result).metrics());
      } catch (IOException unstored) {
        throw new UncheckedIOException(unstored);
      }
      synchronized (listener) {
        ended.add(key);
        if (outcome instanceof RunOutcome.Failed failed) {
          failures.put(key, failed);
        }
        listener.ends(cell(key), outcome);
      }
    }

    private static RunOutcome.Failed failed(String why, String machine) {
      String there = "%s (%s)".formatted(why, machine);
      return new RunOutcome.Failed(there, new ExperimentFailedException(there));
    }

    private Cell cell(String key) {
      return Objects.requireNonNull(cells.get(key));
    }
  }
}
