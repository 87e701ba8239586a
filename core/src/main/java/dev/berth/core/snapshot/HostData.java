package dev.berth.core.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A host that is up.
 *
 * @param id its id
 * @param joined its number in the order of joining, unique
 * @param capacity its capacity
 * @param attributes its attributes
 * @param timeShared whether it is time-shared
 * @param pool name of the pool that it comes from, if any
 * @param cluster the cluster that it was requested for, if any
 * @param expiresAt when it expires, if ever
 * @param load the latest report of its load, if any
 * @param histories the histories of applications on it, the latest completion last
 * @param completions the recent completions on it, in order of time
 * @param availability what it does not offer to its instances, and why it is closed
 * @param taints its taints, in order
 */
public record HostData(
    String id,
    long joined,
    Map<String, Long> capacity,
    Map<String, String> attributes,
    boolean timeShared,
    Optional<String> pool,
    Optional<String> cluster,
    OptionalLong expiresAt,
    Optional<LoadData> load,
    List<HistoryData> histories,
    List<Long> completions,
    AvailabilityData availability,
    List<TaintData> taints) {

  /** Copies the collections. */
  public HostData {
    capacity = Plain.sorted(capacity);
    attributes = Plain.sorted(attributes);
    histories = List.copyOf(histories);
    completions = List.copyOf(completions);
    taints = List.copyOf(taints);
  }

  /**
   * A {@link dev.berth.api.Taint}.
   *
   * @param key its key
   * @param value its value
   * @param effect name of its effect
   * @param graceNanos its grace in nanoseconds
   * @param since since when the host has it, if that matters
   */
  public record TaintData(
      String key, String value, String effect, long graceNanos, OptionalLong since) {}

  /**
   * What a host does not offer, and why it is closed.
   *
   * @param foreign what others hold there
   * @param cordoned whether it is cordoned
   * @param drain how it is drained, if it is
   * @param failedStarts the starts that failed there in a row
   * @param heldUntil until when it is held back, if it is
   */
  public record AvailabilityData(
      List<InstanceData.AmountData> foreign,
      boolean cordoned,
      Optional<DrainData> drain,
      int failedStarts,
      OptionalLong heldUntil) {

    /** Copies the amounts. */
    public AvailabilityData {
      foreign = List.copyOf(foreign);
    }
  }

  /**
   * A {@link dev.berth.api.Drain}.
   *
   * @param deadline its deadline, if any
   * @param order name of the order
   * @param mode name of the mode
   * @param atDeadline name of what happens at the deadline
   * @param restarted the service classes that restart, in ascending order
   */
  public record DrainData(
      OptionalLong deadline, String order, String mode, String atDeadline, List<String> restarted) {

    /** Copies the classes. */
    public DrainData {
      restarted = List.copyOf(restarted);
    }
  }

  /**
   * A {@link dev.berth.api.HostLoad}.
   *
   * @param average the mean number of instances
   * @param reportedAt when it was reported
   */
  public record LoadData(double average, long reportedAt) {}

  /**
   * The history of an application on a host.
   *
   * @param application the application
   * @param runs number of completed runs
   * @param meanCpuTime their weighted mean CPU time
   */
  public record HistoryData(String application, long runs, long meanCpuTime) {}
}
