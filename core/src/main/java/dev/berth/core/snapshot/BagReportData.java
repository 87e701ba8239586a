package dev.berth.core.snapshot;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The outcome of a bag that ended since the latest pass; the next plan reports it. See {@link
 * dev.berth.api.batch.BagReport}.
 *
 * @param bag id of the bag
 * @param size number of its requests
 * @param completed number of its instances that completed
 * @param cancelled reports of the instances that were cut off
 * @param why why it was cancelled, if it was
 * @param submittedAt when it was submitted
 * @param assignedAt when it was assigned, if it was
 * @param endedAt when it ended
 * @param cluster the cluster that it was assigned to, if any
 * @param serviceTime the service of its instances
 */
public record BagReportData(
    String bag,
    int size,
    int completed,
    List<InstanceReportData> cancelled,
    Optional<ReasonData> why,
    long submittedAt,
    OptionalLong assignedAt,
    long endedAt,
    Optional<String> cluster,
    long serviceTime) {

  /** Copies the reports. */
  public BagReportData {
    cancelled = List.copyOf(cancelled);
  }

  /**
   * An {@link dev.berth.api.batch.InstanceReport}.
   *
   * @param id id of the instance
   * @param serviceClass name of its service class
   * @param admittedAt when it was admitted
   * @param endedAt when it ended
   * @param serviceTime its service
   * @param waitingTime its waiting
   * @param preemptions how often it was preempted
   * @param placements how often it was placed
   * @param restartOverhead the time that its restarts after preemptions took
   */
  public record InstanceReportData(
      String id,
      String serviceClass,
      long admittedAt,
      long endedAt,
      long serviceTime,
      long waitingTime,
      int preemptions,
      int placements,
      long restartOverhead) {}
}
