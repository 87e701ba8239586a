package dev.berth.experiments.cluster;

import dev.berth.experiments.run.ExperimentFailedException;
import java.util.List;

/** Runs cells on other machines. */
@FunctionalInterface
public interface Cluster {

  /**
   * Runs cells. Returns when all have ended.
   *
   * @param work the cells, and what they need
   * @param results receives what they return
   * @throws ExperimentFailedException if a cell cannot run there; the message has machine and cause
   */
  void run(ClusterWork work, Results results);

  /** Receives results, in any order. Safe for use by several threads. */
  interface Results {

    /** A machine has started a cell; possibly not for the first time. */
    void starts(String key);

    /**
     * A cell has ended.
     *
     * @param key its digest
     * @param result what {@link CellWorker#apply} returned
     * @param machine where it ran, for messages: {@code "executor 3 on 10.0.0.7"}
     * @throws java.io.UncheckedIOException if the result cannot be stored
     */
    void ends(String key, List<byte[]> result, String machine);
  }
}
