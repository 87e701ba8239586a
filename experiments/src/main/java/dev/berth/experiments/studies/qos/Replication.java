package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The results of one run in the form in which the authors of QoS-driven scheduling published
 * theirs: a folder with logs, either of their Kubernetes cluster or of their simulator.
 *
 * <p>Availability is that at the end of our runs, by the rules of {@link PublishedResults}.
 *
 * @param name of the folder
 * @param source where it ran
 * @param preemptions until the end
 * @param placements until the end, if the logs have them
 * @param classes one for each service class of the workload that has requests, in its order
 */
public record Replication(
    String name,
    PublishedRun.Source source,
    OptionalLong preemptions,
    OptionalLong placements,
    List<ClassFigures> classes) {

  /** Copies the classes. */
  public Replication {
    classes = List.copyOf(classes);
  }

  /**
   * Reads a folder.
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
  public static Replication read(String folder, Workload workload, Duration until) {
    LogFolder logs = LogFolder.open(Input.of(folder));
    Requests requests = Requests.of(workload);
    ReplicationAccount account =
        KubernetesLogs.areIn(logs)
            ? KubernetesLogs.read(logs, requests, until.toNanos())
            : SimulatorLogs.read(logs, requests, until.toNanos());
    return account.result(logs.name());
  }
}
