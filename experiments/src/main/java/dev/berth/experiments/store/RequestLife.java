package dev.berth.experiments.store;

import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.RequestOutcome;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The life of one request in a run. All times are in nanoseconds since the start of the run.
 *
 * @param id of the request
 * @param serviceClass name of its service class
 * @param user its user, if the workload names one
 * @param submitted when it was admitted
 * @param placed when it was first placed; empty if it never was
 * @param started when it was first ready; empty if it never was
 * @param ended when it ended; empty if it is unfinished
 * @param host id of its last host; empty if it was never placed
 * @param placements number of its placements
 * @param preemptions number of its preemptions
 * @param service time in service, in nanoseconds
 * @param waiting time out of service, in nanoseconds
 * @param sloMet whether its availability reached the objective of its class, decided exactly; empty
 *     if it has no availability, as its life was 0
 * @param end how it ended
 */
public record RequestLife(
    String id,
    String serviceClass,
    Optional<String> user,
    long submitted,
    OptionalLong placed,
    OptionalLong started,
    OptionalLong ended,
    Optional<String> host,
    int placements,
    int preemptions,
    long service,
    long waiting,
    Optional<Boolean> sloMet,
    RequestOutcome.End end) {

  /** Returns the record of an outcome. */
  public static RequestLife of(RequestOutcome outcome) {
    InstanceReport report = outcome.report();
    long service = report.serviceTime();
    long life = service + report.waitingTime();
    return new RequestLife(
        report.id(),
        report.serviceClass().name(),
        outcome.user(),
        report.admittedAt(),
        outcome.firstPlacedAt(),
        outcome.firstReadyAt(),
        outcome.end() == RequestOutcome.End.UNFINISHED
            ? OptionalLong.empty()
            : OptionalLong.of(report.endedAt()),
        outcome.lastHost(),
        report.placements(),
        report.preemptions(),
        service,
        report.waitingTime(),
        life == 0
            ? Optional.empty()
            : Optional.of(report.serviceClass().slo().isMetBy(service, life)),
        outcome.end());
  }

  /** Returns its availability, in [0, 1]; empty if its life was 0. */
  public OptionalDouble availability() {
    long life = service + waiting;
    return life == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) service / life);
  }
}
