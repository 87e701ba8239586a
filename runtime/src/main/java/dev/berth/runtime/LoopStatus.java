package dev.berth.runtime;

import dev.berth.api.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of a {@link SchedulerLoop} at one moment; see {@link SchedulerLoop#status}.
 * Immutable. Numbers of events count from the start of the loop, not of its journal. Maps are in a
 * fixed order: classes the most important first, reasons and states in alphabetical order.
 *
 * @param taken when the figures were taken, by the clock of the system
 * @param now that moment by the clock of the loop, in nanoseconds
 * @param phase whether the loop runs
 * @param failure why the loop failed; empty unless the phase is {@link Phase#FAILED}
 * @param policy id of the policy
 * @param waiting number of pending instances by class (all of them) and by reason (those that
 *     occur); the sum is the number of pending instances. {@link dev.berth.core.WaitingStats} lists
 *     the reasons
 * @param longestWait how long the instance is pending that has been pending the longest; empty if
 *     none is
 * @param instances number of instances that are not done, by class and state; states without
 *     instances are absent
 * @param fulfilment by class, the share of the instances that are not done whose availability so
 *     far is at or above the objective, in [0, 1]; classes without instances are absent
 * @param hosts number of hosts by state: {@code starting}, {@code open}, or the {@linkplain
 *     dev.berth.api.Reason#code code} of the reason why the host takes no instances
 * @param inputs the events
 * @param passes the passes
 * @param actions the actions that the fleet carries out
 * @param journal the journal; empty if there is none
 * @param reconciliations the comparisons with the fleet
 */
public record LoopStatus(
    Instant taken,
    long now,
    Phase phase,
    Optional<String> failure,
    String policy,
    Map<String, Map<String, Integer>> waiting,
    Optional<Duration> longestWait,
    Map<String, Map<InstanceState, Integer>> instances,
    Map<String, Double> fulfilment,
    Map<String, Integer> hosts,
    Inputs inputs,
    Passes passes,
    Actions actions,
    Optional<JournalUse> journal,
    Reconciliations reconciliations) {

  /** Copies the maps. */
  public LoopStatus {
    waiting = nested(waiting);
    instances = nested(instances);
    fulfilment = copy(fulfilment);
    hosts = copy(hosts);
  }

  private static <K, V> Map<K, V> copy(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  private static <K, V> Map<String, Map<K, V>> nested(Map<String, Map<K, V>> map) {
    Map<String, Map<K, V>> copy = new LinkedHashMap<>();
    map.forEach((key, values) -> copy.put(key, copy(values)));
    return Collections.unmodifiableMap(copy);
  }

  /** Returns the number of pending instances of all classes. */
  public int totalWaiting() {
    return waiting.values().stream()
        .flatMap(each -> each.values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }

  /** Returns the number of hosts in all states. */
  public int totalHosts() {
    return hosts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the same figures in another phase. */
  LoopStatus ended(Phase in, Optional<String> why) {
    return new LoopStatus(
        taken,
        now,
        in,
        why,
        policy,
        waiting,
        longestWait,
        instances,
        fulfilment,
        hosts,
        inputs,
        passes,
        actions,
        journal,
        reconciliations);
  }

  /** Whether a loop runs. */
  public enum Phase {
    /** It takes events. */
    RUNNING,
    /** It takes no events, and stops once no action is under way. */
    DRAINING,
    /** It was shut down. */
    STOPPED,
    /** An error stopped it. */
    FAILED
  }

  /**
   * The events of a loop.
   *
   * @param queued number of events that wait in the queue
   * @param capacity the most events that wait
   * @param applied number of events that the loop has taken from the queue, refused ones included
   * @param refused number of these that the scheduler refused, other than stale reports
   * @param overloaded number of events that the loop has not taken, since the queue was full
   * @param ahead number of reports whose time was ahead of the loop's, which replaced it
   */
  public record Inputs(
      int queued, int capacity, long applied, long refused, long overloaded, long ahead) {}

  /**
   * The passes of a loop.
   *
   * @param count number of passes that succeeded
   * @param failed number of passes that failed and were undone
   * @param time how long those that succeeded took, in total
   * @param decisions number of actions in their plans
   * @param preemptions number of preemptions in their plans, by the class of the victim; all
   *     classes
   * @param firstWaits by class, all of them, how long instances waited for their first placement
   * @param latest the latest passes, at most 20, the latest first
   */
  public record Passes(
      long count,
      long failed,
      Duration time,
      long decisions,
      Map<String, Long> preemptions,
      Map<String, Waits> firstWaits,
      List<Pass> latest) {

    /** Copies the collections. */
    public Passes {
      preemptions = copy(preemptions);
      firstWaits = copy(firstWaits);
      latest = List.copyOf(latest);
    }
  }

  /**
   * How long instances waited from their admission until a plan placed them for the first time. An
   * instance counts again if that placement is undone.
   *
   * @param count number of instances
   * @param total sum of their waits
   * @param within for each of the {@link #BOUNDS}, in ascending order, how many of them waited no
   *     longer than it
   */
  public record Waits(long count, Duration total, Map<Duration, Long> within) {

    /** The bounds of the histogram: from 100 ms to a day. */
    public static final List<Duration> BOUNDS =
        List.of(
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofHours(4),
            Duration.ofDays(1));

    /** Copies the map. */
    public Waits {
      within = copy(within);
    }
  }

  /**
   * A pass that succeeded.
   *
   * @param number its number, which continues over restarts with the same journal
   * @param at its time, in nanoseconds of the clock of the loop
   * @param time how long it took
   * @param decisions number of actions in its plan
   * @param waiting number of instances that were pending after it
   */
  public record Pass(long number, long at, Duration time, int decisions, int waiting) {}

  /**
   * The actions that a loop hands to its fleet.
   *
   * @param open number of actions that are not carried out yet, those under way included
   * @param underWay number of actions that the fleet is carrying out
   * @param begun number of attempts
   * @param retried number of these that repeated an earlier one
   * @param timedOut number of these that took too long
   * @param rejected number of actions that could not be carried out, and were undone
   */
  public record Actions(
      int open, int underWay, long begun, long retried, long timedOut, long rejected) {}

  /**
   * The journal of a loop.
   *
   * @param bytes size of the records and snapshots
   * @param lastRecord number of the latest record, which continues over restarts
   * @param forces number of times that the loop waited for the disk
   * @param forceTime how long it waited, in total
   * @param longestForce how long the longest wait took; zero before the first
   * @param failedSnapshots number of snapshots that were not saved; each is tried again later
   */
  public record JournalUse(
      long bytes,
      long lastRecord,
      long forces,
      Duration forceTime,
      Duration longestForce,
      long failedSnapshots) {}

  /**
   * The comparisons of a loop with its fleet.
   *
   * @param count number of comparisons
   * @param differences number of differences that they found and corrected
   * @param holdsPasses whether no pass runs until the next one
   */
  public record Reconciliations(long count, long differences, boolean holdsPasses) {}
}
