package dev.berth.cli.compare;

import dev.berth.experiments.studies.qos.PublishedRun;
import java.util.List;

/**
 * Published results for the workload of a comparison.
 *
 * @param runs known results of the compared policies
 * @param replications results that were read from folders, in the order of the command line
 */
public record PublishedFigures(List<PublishedRun> runs, List<PublishedRun> replications) {

  /** Copies the lists. */
  public PublishedFigures {
    runs = List.copyOf(runs);
    replications = List.copyOf(replications);
  }

  /** Returns whether there are none. */
  boolean isEmpty() {
    return runs.isEmpty() && replications.isEmpty();
  }
}
