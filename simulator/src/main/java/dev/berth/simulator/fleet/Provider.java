package dev.berth.simulator.fleet;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * The actual behaviour of a provider in a simulation: the times that pool hosts take to start and
 * stop, and their failures.
 *
 * <p>The fate of a host is a hash of the seed and its id. So it does not depend on other events.
 *
 * @param starts possible start times of a host, equally likely; empty: the start delay of its pool
 * @param stops possible stop times of a released host, equally likely; empty: the stop delay of its
 *     pool
 * @param most the actual limit of each pool; hosts beyond it are refused at once; empty: the limit
 *     of the pool
 * @param refused share of the provisioned hosts that are refused at once, in [0, 1]
 * @param failing share of the other provisioned hosts that do not start in the end, in [0, 1]
 * @param dyingWhileDraining share of the released hosts that die at once, in [0, 1]; instances that
 *     are migrating away are then lost
 * @param lives possible lifetimes of a host that is up, equally likely and positive; empty: it
 *     never dies
 */
public record Provider(
    List<Duration> starts,
    List<Duration> stops,
    OptionalInt most,
    double refused,
    double failing,
    double dyingWhileDraining,
    List<Duration> lives) {

  private static final Provider RELIABLE =
      new Provider(List.of(), List.of(), OptionalInt.empty(), 0, 0, 0, List.of());

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a time or number is negative, or a share is not in [0, 1]
   */
  public Provider {
    starts = checked("start", starts);
    stops = checked("stop", stops);
    lives = checked("life", lives);
    refuseIf(lives.contains(Duration.ZERO), "provider: life was PT0S, must be positive.");
    if (most.isPresent() && most.getAsInt() < 0) {
      throw new IllegalArgumentException(
          "provider: most was %s, must not be negative.".formatted(most.getAsInt()));
    }
    requireShare("refused", refused);
    requireShare("failing", failing);
    requireShare("dying while draining", dyingWhileDraining);
  }

  /** Returns a provider whose hosts start and stop as their pools say, and never fail. */
  public static Provider reliable() {
    return RELIABLE;
  }

  private static List<Duration> checked(String what, List<Duration> times) {
    List<Duration> copy = List.copyOf(times);
    for (Duration each : copy) {
      refuseIf(each.isNegative(), "provider: %s was %s, must not be negative.", what, each);
    }
    return copy;
  }

  private static void requireShare(String what, double share) {
    refuseIf(
        !(share >= 0 && share <= 1),
        "provider: share %s was %s, must be from 0 to 1.",
        what,
        share);
  }
}
