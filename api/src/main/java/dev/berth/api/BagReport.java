package dev.berth.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of a bag of tasks: how it ended, and what it got.
 *
 * @param bag its id
 * @param size how many requests it was submitted with
 * @param completed how many of its instances completed
 * @param cancelled what those got that the end of the bag cut off, in order of admission; who was
 *     cancelled or refused alone is not among them
 * @param why why it was cancelled; empty if it was not
 * @param submittedAt when it was submitted
 * @param assignedAt when it was assigned to its cluster, if it was
 * @param endedAt when it ended
 * @param cluster the cluster it was assigned to, if it was
 * @param serviceTime summed service time of all its instances, nanoseconds
 */
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
    Objects.requireNonNull(why, "why");
    cancelled = List.copyOf(cancelled);
  }

  /** Returns whether all of it completed. */
  public boolean isComplete() {
    return completed == size;
  }
}
