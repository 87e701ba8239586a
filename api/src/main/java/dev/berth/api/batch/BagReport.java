package dev.berth.api.batch;

import dev.berth.api.Experimental;
import dev.berth.api.Reason;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The final report of a bag of tasks. Immutable.
 *
 * @param bag id of the bag
 * @param size number of requests in the submitted bag
 * @param completed number of completed instances
 * @param cancelled reports of the instances that the cancellation of the bag ended, in order of
 *     admission; excludes instances that were cancelled or rejected individually
 * @param why why the bag was cancelled; empty if it was not
 * @param submittedAt when it was submitted
 * @param assignedAt when it was assigned to its cluster, or empty
 * @param endedAt when it ended
 * @param cluster the cluster it was assigned to, or empty
 * @param serviceTime sum of the service times of all its instances, in nanoseconds
 */
@Experimental
public record BagReport(
    String bag,
    int size,
    int completed,
    List<InstanceReport> cancelled,
    Optional<Reason> why,
    long submittedAt,
    OptionalLong assignedAt,
    long endedAt,
    Optional<String> cluster,
    long serviceTime) {

  /** Copies the list. */
  public BagReport {
    Objects.requireNonNull(bag, "bag");
    Objects.requireNonNull(cancelled, "cancelled");
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(assignedAt, "assignedAt");
    Objects.requireNonNull(cluster, "cluster");
    cancelled = List.copyOf(cancelled);
  }

  /** Returns whether every instance completed. */
  public boolean isComplete() {
    return completed == size;
  }
}
