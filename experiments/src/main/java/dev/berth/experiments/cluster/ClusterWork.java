package dev.berth.experiments.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * Cells that a cluster runs, and what its machines need. On each, {@link CellWorker#start} gets the
 * text of the experiment, and the places of its files.
 *
 * @param keys digests of the cells; largest first
 * @param name of the experiment's file
 * @param text of the experiment
 * @param folder that relative paths in the text start from
 * @param recordsJobs whether the results have jobs
 * @param code jars and folders with the code of {@link CellWorker}, complete except for the JDK
 * @param plugins jars with further policies
 * @param inputs files and folders that the experiment reads
 */
public record ClusterWork(
    List<String> keys,
    String name,
    String text,
    Path folder,
    boolean recordsJobs,
    List<Path> code,
    List<Path> plugins,
    List<Path> inputs) {

  /** Copies the lists. */
  public ClusterWork {
    keys = List.copyOf(keys);
    code = List.copyOf(code);
    plugins = List.copyOf(plugins);
    inputs = List.copyOf(inputs);
  }
}
