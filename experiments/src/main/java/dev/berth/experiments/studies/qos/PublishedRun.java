package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The published results of a policy on a published workload, see {@link PublishedResults}, or those
 * of a replication.
 *
 * @param name of the workload, or of the folder of a replication
 * @param policy id of our policy of the same algorithm; empty for a replication
 * @param source where it ran
 * @param preemptions in the whole run
 * @param placements in the whole run; empty if the logs lack them
 * @param classes one for each service class that has requests, most important first
 */
public record PublishedRun(
    String name,
    String policy,
    Source source,
    OptionalLong preemptions,
    OptionalLong placements,
    List<ClassFigures> classes) {

  /** Where a published run ran. */
  public enum Source {
    /** The simulator of the paper. */
    SIMULATOR("their simulator"),
    /** A real Kubernetes cluster. */
    KUBERNETES("their Kubernetes");

    private final String whose;

    Source(String whose) {
      this.whose = whose;
    }

    /** Returns the word for it in JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the words for it in a table beside ours. */
    public String whose() {
      return whose;
    }
  }

  /** Copies the classes. */
  public PublishedRun {
    classes = List.copyOf(classes);
  }

  /**
   * Reads a replication: the results of one run in the form in which the authors published theirs,
   * a folder with logs, either of their Kubernetes cluster or of their simulator.
   *
   * <p>Availability is that at the end of our runs, by the rules of {@link PublishedResults}.
   *
   * <p>The logs of Kubernetes are {@code waiting.dat} and {@code termination.dat}, and {@code
   * starting.dat} if pods still ran when the logs ended; {@code running.dat} may stand for {@code
   * termination.dat}. A deployment is a request, and its pods are its placements. Its name begins
   * with its class and the id of its request, so it needs no workload with the same ids.
   *
   * <p>The logs of the simulator are {@code Allocation_*.dat}, {@code Preemption_*.dat} and {@code
   * Termination_*.dat}. Their tasks must be requests of the workload.
   *
   * <p>Any file may be compressed, with the ending of the method behind its name.
   *
   * @param folder its path
   * @param workload the requests; read once
   * @param until when availability is taken: this time after the first request
   * @throws InputException if a file is missing, cannot be read or breaks a rule
   */
  public static PublishedRun read(String folder, Workload workload, Duration until) {
    LogFolder logs = LogFolder.open(Input.of(folder));
    Requests requests = Requests.of(workload);
    ReplicationAccount account =
        KubernetesLogs.areIn(logs)
            ? KubernetesLogs.read(logs, requests, until.toNanos())
            : SimulatorLogs.read(logs, requests, until.toNanos());
    return account.result(logs.name());
  }
}
