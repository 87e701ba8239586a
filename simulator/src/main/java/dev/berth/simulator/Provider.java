package dev.berth.simulator;

import dev.berth.core.config.Durations;
import dev.berth.core.decision.SeededTieBreaker;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * How a provider really behaves in a simulation: how long hosts take to start and to stop, and what
 * goes wrong.
 *
 * <p>What happens to a host is drawn by a hash of the seed and its id, so that it does not depend
 * on what else happens.
 *
 * @param starts what it takes until a host is up: one of these, each as likely; empty: what its
 *     pool says
 * @param stops what it takes until a released host is gone, likewise
 * @param most how many hosts of a pool there really can be; more are refused at once; empty: as
 *     many as its limit says
 * @param refused share of the hosts asked for that are refused at once, in [0, 1]
 * @param failing share of the others that do not come up when they should, in [0, 1]
 * @param dyingWhileDraining share of the released hosts that die at once, so that whoever is on the
 *     way from there to another host is lost, in [0, 1]
 * @param lives after what time a host that is up dies: one of these, positive; empty: it does not
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
  private static final double UNIT = 0x1.0p-53;
  private static final int UNUSED_BITS = 11;

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a time or number is negative or a share is not one
   */
  public Provider {
    starts = checked("start", starts);
    stops = checked("stop", stops);
    lives = checked("life", lives);
    if (lives.contains(Duration.ZERO)) {
      throw new IllegalArgumentException("provider: life was PT0S, must be positive.");
    }
    if (most.isPresent() && most.getAsInt() < 0) {
      throw new IllegalArgumentException(
          "provider: most was %s, must not be negative.".formatted(most.getAsInt()));
    }
    requireShare("refused", refused);
    requireShare("failing", failing);
    requireShare("dying while draining", dyingWhileDraining);
  }

  /** Everything goes as the pools say. */
  public static Provider reliable() {
    return RELIABLE;
  }

  private static List<Duration> checked(String what, List<Duration> times) {
    List<Duration> copy = List.copyOf(times);
    for (Duration each : copy) {
      if (each.isNegative()) {
        throw new IllegalArgumentException(
            "provider: %s was %s, must not be negative.".formatted(what, each));
      }
    }
    return copy;
  }

  private static void requireShare(String what, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "provider: share %s was %s, must be from 0 to 1.".formatted(what, share));
    }
  }

  boolean refuses(long seed, String host) {
    return happens(refused, seed, host, "refused");
  }

  boolean fails(long seed, String host) {
    return happens(failing, seed, host, "fails");
  }

  boolean diesDraining(long seed, String host) {
    return happens(dyingWhileDraining, seed, host, "dies draining");
  }

  long startOf(long seed, String host, Duration usual) {
    return draw(starts, seed, host, "start", usual);
  }

  long stopOf(long seed, String host, Duration usual) {
    return draw(stops, seed, host, "stop", usual);
  }

  long lifeOf(long seed, String host) {
    return draw(lives, seed, host, "life", Duration.ofNanos(EventQueue.NEVER));
  }

  private static boolean happens(double share, long seed, String host, String what) {
    return share > 0 && (SeededTieBreaker.hash(seed, 0, host, what) >>> UNUSED_BITS) * UNIT < share;
  }

  private static long draw(
      List<Duration> among, long seed, String host, String what, Duration usual) {
    if (among.isEmpty()) {
      return Durations.toNanosSaturated(usual);
    }
    long hash = SeededTieBreaker.hash(seed, 0, host, what);
    return Durations.toNanosSaturated(among.get((int) Long.remainderUnsigned(hash, among.size())));
  }
}
