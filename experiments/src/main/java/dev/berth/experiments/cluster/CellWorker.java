package dev.berth.experiments.cluster;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.LocalCells;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs cells of an experiment on a machine of a cluster. A cluster creates it by reflection, in a
 * class loader with {@link ClusterWork#code} and no library of the cluster, so it is called with
 * types of the JDK alone.
 */
public final class CellWorker implements Function<String, List<byte[]>> {

  private final ClassLoader policies;
  private final boolean recordsJobs;
  private final Map<String, String> located;
  private final Map<String, Cell> cells = new HashMap<>(); // by digest

  private CellWorker(
      String name,
      String text,
      String folder,
      boolean recordsJobs,
      List<String> plugins,
      Map<String, String> located) {
    this.recordsJobs = recordsJobs;
    this.located = located;
    this.policies =
        new URLClassLoader(
            plugins.stream()
                .map(this::locate)
                .map(Path::of)
                .map(CellWorker::url)
                .toArray(URL[]::new),
            CellWorker.class.getClassLoader());
    withPolicies(
        () -> {
          Experiment experiment =
              ExperimentLoader.load(
                  ExperimentSpec.parse(name, text),
                  Path.of(folder),
                  path -> Path.of(locate(path.toString())),
                  PolicyRegistry.load(policies));
          experiment.cells().forEach(each -> cells.putIfAbsent(each.digest(), each));
          return experiment;
        });
  }

  /**
   * Loads an experiment.
   *
   * @param name of its file, for messages
   * @param text of the experiment
   * @param folder that relative paths in the text start from
   * @param recordsJobs whether the results have jobs
   * @param plugins jars with further policies
   * @param located where files, folders and jars are on this machine, by the paths that they have
   *     where the experiment began; others have the same path
   */
  public static Function<String, List<byte[]>> start(
      String name,
      String text,
      String folder,
      boolean recordsJobs,
      List<String> plugins,
      Map<String, String> located) {
    return new CellWorker(name, text, folder, recordsJobs, plugins, located);
  }

  /**
   * Runs a cell. Safe for use by several threads.
   *
   * @param key its digest
   * @return the record of the stored cell; or one text in UTF-8: why the policy failed
   * @throws IllegalStateException if no cell has the digest, since the code or the inputs differ on
   *     this machine
   */
  @Override
  public List<byte[]> apply(String key) {
    Cell cell = cells.get(key);
    if (cell == null) {
      throw new IllegalStateException(
          "no run has the digest %s here: the code or the inputs of this machine differ."
              .formatted(key));
    }
    return withPolicies(() -> run(key, cell));
  }

  private List<byte[]> run(String key, Cell cell) {
    try (CellStore store = CellStore.temporary()) {
      RunOutcome.Failed failed =
          new LocalCells(1)
              .run(Map.of(key, cell), store, recordsJobs, ExperimentRunner.Listener.NONE)
              .get(key);
      return failed == null
          ? store.find(key, recordsJobs).orElseThrow().record()
          : List.of(original(failed.why()).getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (RuntimeException | Error failure) {
      Case its = cell.setting();
      throw new IllegalStateException(
          "%s on %s, seed %s: %s"
              .formatted(cell.policy().label(), its.workload(), its.seed(), failure),
          failure);
    }
  }

  private String locate(String path) {
    return located.getOrDefault(path, path);
  }

  /** Returns a message with the paths that the user knows. */
  private String original(String message) {
    String text = message;
    for (Map.Entry<String, String> each : located.entrySet()) {
      text = text.replace(each.getValue(), each.getKey());
    }
    return text;
  }

  /** Calls with a context class loader that sees all policies and formats. */
  private <T> T withPolicies(Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(policies);
    try {
      return call.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
