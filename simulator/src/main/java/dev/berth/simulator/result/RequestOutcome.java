package dev.berth.simulator.result;

import dev.berth.api.Request;
import dev.berth.api.batch.InstanceReport;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The outcome of one request in a simulation.
 *
 * @param number of its arrival in the workload, from 0 in order of admission; independent of the
 *     policy
 * @param request the request
 * @param work its work: the time in service at full speed until it is done, in nanoseconds
 * @param end how it ended
 * @param report the account of its instance, up to its end or the end of the simulation; service
 *     while its group had too few members on hosts counts as waiting
 * @param firstPlacedAt time of its first placement, if any
 * @param firstReadyAt time when it was first ready, if it ever was
 * @param start the time that its first start takes, in nanoseconds, without waiting for victims to
 *     end; the mean of the cold overheads if it was never placed
 * @param migrations number of its migrations
 * @param lastHost id of its host, or of the last one if it has none now; empty if it was never
 *     placed
 * @param user its user, if the workload names one
 */
public record RequestOutcome(
    long number,
    Request request,
    long work,
    End end,
    InstanceReport report,
    OptionalLong firstPlacedAt,
    OptionalLong firstReadyAt,
    long start,
    int migrations,
    Optional<String> lastHost,
    Optional<String> user) {

  /** How a request ended. */
  public enum End {
    /** All its work was done. */
    COMPLETED,
    /** It was still live at the end of the simulation. */
    UNFINISHED,
    /** The policy rejected it. */
    REFUSED,
    /** Its bag of tasks was cancelled. */
    CANCELLED,
    /** Its longest run time was over. */
    STOPPED
  }

  /** Returns whether all its work was done. */
  public boolean completed() {
    return end == End.COMPLETED;
  }

  /**
   * Returns whether it met its objective, as far as any policy could meet it: its availability is
   * at least the lesser of its objective and its availability on an infinite host. Starts take
   * time, so no policy can reach an objective of 1, nor a high one of a short request.
   *
   * <p>On an infinite host it would have been placed at once and never disturbed. Its availability
   * would be {@code service / (service + start)}; the service is its {@code work}, or less if it
   * ended, or the run did, before that was done. If it ended before its first start would have, it
   * lacks nothing. A rejected request has not met its objective.
   */
  public boolean met() {
    long waiting = report.waitingTime();
    long service = Math.min(work, report.serviceTime() + waiting - start);
    // By cross-multiplication. Products of doubles are monotone: rounding adds no miss.
    return end != End.REFUSED
        && (report.sloMet() || (double) report.serviceTime() * start >= (double) service * waiting);
  }

  /** Returns whether it was ever ready. */
  public boolean ran() {
    return firstReadyAt.isPresent();
  }
}
