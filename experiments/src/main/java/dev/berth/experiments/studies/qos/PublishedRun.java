package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import java.util.List;
import java.util.OptionalLong;

/**
 * The published results of a policy on a published workload; see {@link PublishedResults}.
 *
 * @param workload name of the workload
 * @param policy id of our policy of the same algorithm
 * @param source where it ran
 * @param rounded whether it is known to three digits only, counts to two
 * @param preemptions in the whole run
 * @param placements in the whole run
 * @param classes one for each service class, most important first
 */
public record PublishedRun(
    String workload,
    String policy,
    Source source,
    boolean rounded,
    OptionalLong preemptions,
    OptionalLong placements,
    List<ClassFigures> classes) {

  /** Where a published run ran. */
  public enum Source {
    /** The simulator of the paper. */
    SIMULATOR("simulator"),
    /** A real Kubernetes cluster. */
    KUBERNETES("kubernetes");

    private final String word;

    Source(String word) {
      this.word = word;
    }

    /** Returns the word for it in JSON. */
    public String word() {
      return word;
    }
  }

  /** Copies the classes. */
  public PublishedRun {
    classes = List.copyOf(classes);
  }
}
