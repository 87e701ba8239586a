package dev.berth.simulator.fleet;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.Experimental;
import dev.berth.core.config.Durations;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How unreliable a simulated fleet is. Immutable.
 *
 * <p>Reports about instances and hosts can be lost, doubled and delayed, so they can arrive in
 * another order. The fleet can refuse actions, starts can fail, and hosts can change without a
 * plan. The scheduler can be restarted from a snapshot. At regular intervals it is {@linkplain
 * dev.berth.core.Scheduler#reconcile reconciled} with the fleet.
 *
 * <p>All faults follow from the seed of the simulation. They change neither arrivals, service times
 * nor overheads. A share is in [0, 1]. A duration is at most a century; where 0 is valid, it turns
 * the fault off.
 *
 * @param lost share of the reports that never arrive
 * @param doubled share of the other reports that arrive twice
 * @param delayed share of the copies of reports that arrive late
 * @param delay the longest delay; all up to it are equally likely
 * @param refused share of the actions that the fleet refuses though it could carry them out; less
 *     than 1
 * @param failedStarts share of the starts that fail on any host; less than 1
 * @param badHosts share of the hosts on which every start fails, in each period of {@code badFor}
 * @param badFor how long a host stays bad
 * @param driftEvery mean time between two changes of hosts
 * @param driftFor how long a host stays changed
 * @param vanishing share of the changes in which a host is gone, without a report; in the others,
 *     others take some of its resources, or its capacity shrinks
 * @param restartEvery time between two restarts of the scheduler
 * @param reconcileEvery time between two reconciliations
 * @param retryAfter least time between a refused action and the next pass
 * @param hostBackoff for how long a host is held back after a start that failed there; doubles with
 *     each further one, up to 16 times
 * @param instanceBackoff the same for an instance
 * @param until when the faults end; 0: with the run
 */
@Experimental
public record FaultSettings(
    @Described(value = "share of the reports that never arrive", range = "from 0 to 1") double lost,
    @Described(value = "share of the other reports that arrive twice", range = "from 0 to 1")
        double doubled,
    @Described(value = "share of the reports that arrive late", range = "from 0 to 1")
        double delayed,
    @Described("the longest delay") Duration delay,
    @Described(value = "share of the actions that the fleet refuses", range = "from 0, below 1")
        double refused,
    @Described(value = "share of the starts that fail", range = "from 0, below 1")
        double failedStarts,
    @Described(value = "share of the hosts on which every start fails", range = "from 0 to 1")
        double badHosts,
    @Described("how long a host stays bad") Duration badFor,
    @Described("mean time between two changes of hosts; 0s: none") Duration driftEvery,
    @Described("how long a host stays changed") Duration driftFor,
    @Described(value = "share of the changes in which a host is gone", range = "from 0 to 1")
        double vanishing,
    @Described("time between two restarts of the scheduler; 0s: none") Duration restartEvery,
    @Described(value = "time between two reconciliations", range = "above 0s")
        Duration reconcileEvery,
    @Described(value = "least time from a refused action to the next pass", range = "above 0s")
        Duration retryAfter,
    @Described("first time for which a host is held back after a failed start; 0s: never")
        Duration hostBackoff,
    @Described("first time for which an instance is held back after a failed start; 0s: never")
        Duration instanceBackoff,
    @Described("when the faults end; 0s: with the run") Duration until) {

  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  /** A fleet without faults, reconciled every minute: the defaults of a file. */
  public static final FaultSettings NONE =
      new FaultSettings(
          0,
          0,
          0,
          Duration.ZERO,
          0,
          0,
          0,
          Duration.ofMinutes(5),
          Duration.ZERO,
          Duration.ofMinutes(2),
          0,
          Duration.ZERO,
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO);

  /** A fleet with occasional faults, as a well-kept data centre has them. */
  public static final FaultSettings MILD =
      new FaultSettings(
          0.002,
          0.005,
          0.05,
          Duration.ofSeconds(5),
          0.005,
          0.005,
          0.01,
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(2),
          0.2,
          Duration.ofMinutes(20),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ZERO);

  /** A fleet in which much goes wrong all the time. */
  public static final FaultSettings ROUGH =
      new FaultSettings(
          0.05,
          0.1,
          0.3,
          Duration.ofSeconds(40),
          0.05,
          0.05,
          0.05,
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          0.3,
          Duration.ofMinutes(3),
          Duration.ofSeconds(30),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ZERO);

  private static final Map<String, FaultSettings> PRESETS = Map.of("mild", MILD, "rough", ROUGH);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a share or a duration is out of range
   */
  public FaultSettings {
    requireShare("lost", lost);
    requireShare("doubled", doubled);
    requireShare("delayed", delayed);
    requireBelowOne("refused", refused);
    requireBelowOne("failedStarts", failedStarts);
    requireShare("badHosts", badHosts);
    requireShare("vanishing", vanishing);
    requireDuration("delay", delay);
    requirePositive("badFor", badFor);
    requireDuration("driftEvery", driftEvery);
    requirePositive("driftFor", driftFor);
    requireDuration("restartEvery", restartEvery);
    requirePositive("reconcileEvery", reconcileEvery);
    requirePositive("retryAfter", retryAfter);
    requireDuration("hostBackoff", hostBackoff);
    requireDuration("instanceBackoff", instanceBackoff);
    requireDuration("until", until);
  }

  /** Returns the settings of a name, {@code mild} or {@code rough}, or empty. */
  public static Optional<FaultSettings> preset(String name) {
    return Optional.ofNullable(PRESETS.get(name));
  }

  /** Returns the name of these settings, or empty if they have none. */
  public Optional<String> name() {
    return PRESETS.entrySet().stream()
        .filter(each -> each.getValue().equals(this))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static void requireShare(String key, double share) {
    refuseIf(!(share >= 0 && share <= 1), "%s was %s, must be from 0 to 1.", key, share);
  }

  private static void requireBelowOne(String key, double share) {
    refuseIf(!(share >= 0 && share < 1), "%s was %s, must be from 0 to below 1.", key, share);
  }

  private static void requireDuration(String key, Duration duration) {
    if (duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "%s was %s, must be from 0s to %sd."
              .formatted(key, Durations.format(duration), MAX_DURATION.toDays()));
    }
  }

  private static void requirePositive(String key, Duration duration) {
    if (duration.isZero() || duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "%s was %s, must be above 0s and at most %sd."
              .formatted(key, Durations.format(duration), MAX_DURATION.toDays()));
    }
  }
}
