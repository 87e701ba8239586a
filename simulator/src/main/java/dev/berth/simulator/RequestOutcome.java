package dev.berth.simulator;

import dev.berth.api.InstanceReport;
import dev.berth.api.Request;
import java.util.OptionalLong;

/**
 * What became of one request in a simulation.
 *
 * @param number of its arrival in the workload, counted from 0 in order of admission; the same
 *     request has the same number under every policy
 * @param request what was asked for
 * @param work its work: nanoseconds in service at full speed after which it is done
 * @param end how it ended
 * @param report what its instance got: to its completion, or else to the end of the simulation
 * @param firstPlacedAt when it was first placed, if it was
 * @param firstReadyAt when it was first ready, if it was
 * @param migrations how often it was migrated
 */
public record RequestOutcome(
    long number,
    Request request,
    long work,
    End end,
    InstanceReport report,
    OptionalLong firstPlacedAt,
    OptionalLong firstReadyAt,
    int migrations) {

  /** How a request ended. */
  public enum End {
    /** All its work was done. */
    COMPLETED,
    /** The simulation ended before. */
    UNFINISHED,
    /** The policy turned it down. */
    REFUSED,
    /** Its bag of tasks was cancelled. */
    CANCELLED
  }

  /** Returns whether all its work was done. */
  public boolean completed() {
    return end == End.COMPLETED;
  }

  /** Returns whether it was ever ready. */
  public boolean ran() {
    return firstReadyAt.isPresent();
  }
}
