package dev.berth.simulator;

import dev.berth.core.decision.SeededTieBreaker;
import java.time.Duration;
import java.util.List;

/**
 * Allocation overheads: what may pass between placing an instance on a host and its being ready.
 *
 * <p>A placement draws one of the given values, each as likely as the others; list a value several
 * times to make it more likely. The draw is a hash of the seed, the request and the number of its
 * placement, not the next value of a stream: the third placement of a request takes the same time
 * whatever else the policy does, so policies are compared on equal luck.
 *
 * <p>A placement is <em>hot</em> if the instance became ready on that host before (its image is
 * there), otherwise <em>cold</em> (QoS-driven scheduling, section 3.1).
 *
 * <p>The more instances start on a host at one time, the longer each takes: for every other one
 * that is starting there when it is placed, or is placed there in the same pass, the overhead is
 * longer by {@code crowding} (MEMiC thesis, section 6.3.2).
 *
 * @param cold of cold placements; not empty, none negative
 * @param hot of hot placements; not empty, none negative
 * @param crowding for each other instance that starts on the host too; not negative
 */
public record Overheads(List<Duration> cold, List<Duration> hot, Duration crowding) {

  private static final Overheads NONE = of(List.of(Duration.ZERO));

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a list is empty or a value is negative
   */
  public Overheads {
    cold = checked("cold", cold);
    hot = checked("hot", hot);
    if (crowding.isNegative()) {
      throw new IllegalArgumentException(
          "crowding was %s, must not be negative.".formatted(crowding));
    }
  }

  /** Overheads that do not depend on how many start at one time. */
  public Overheads(List<Duration> cold, List<Duration> hot) {
    this(cold, hot, Duration.ZERO);
  }

  /** Instances are ready at once. */
  public static Overheads none() {
    return NONE;
  }

  /** The same values for cold and hot placements. */
  public static Overheads of(List<Duration> values) {
    return new Overheads(values, values);
  }

  /**
   * Returns the mean of a cold and a hot placement, as many of each: what to give to policies as
   * the expected overhead α where nothing better is known.
   *
   * @return rounded to the nanosecond
   */
  public Duration mean() {
    return Duration.ofNanos(Math.round((mean(cold) + mean(hot)) / 2));
  }

  /**
   * Returns the overhead of a placement in nanoseconds.
   *
   * @param others how many others start on the host too
   */
  long draw(long seed, String requestId, int placement, boolean onHotHost, int others) {
    List<Duration> values = onHotHost ? hot : cold;
    long hash = SeededTieBreaker.hash(seed, placement, requestId, "allocation overhead");
    return values.get((int) Long.remainderUnsigned(hash, values.size())).toNanos()
        + others * crowding.toNanos();
  }

  private static double mean(List<Duration> values) {
    return values.stream().mapToLong(Duration::toNanos).average().orElseThrow();
  }

  private static List<Duration> checked(String which, List<Duration> values) {
    List<Duration> copy = List.copyOf(values);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException(
          "%s overheads were empty. Maybe Overheads.none() was meant.".formatted(which));
    }
    for (Duration each : copy) {
      if (each.isNegative()) {
        throw new IllegalArgumentException(
            "%s overhead was %s, must not be negative.".formatted(which, each));
      }
    }
    return copy;
  }
}
