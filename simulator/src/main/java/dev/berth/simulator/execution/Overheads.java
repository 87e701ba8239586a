package dev.berth.simulator.execution;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.core.decision.SeededTieBreaker;
import java.time.Duration;
import java.util.List;

/**
 * Allocation overheads: the possible times between the placement of an instance and its being
 * ready.
 *
 * <p>A placement draws one of the given values with equal probability. To make a value more likely,
 * list it several times. The draw is a hash of the seed, the request and the number of its
 * placement, not the next value of a stream. So the third placement of a request takes the same
 * time under every policy, and policies are compared on equal luck.
 *
 * <p>A placement is <em>hot</em> if the instance was ready on that host before, so that its image
 * is there. Otherwise it is <em>cold</em> (QoS-driven scheduling, section 3.1).
 *
 * <p>Instances that start together slow each other down. The overhead grows by {@code crowding} for
 * every other instance that is starting on the host at the time of the placement, or that the same
 * pass places there (MEMiC thesis, section 6.3.2).
 *
 * <p>A placement that preempts waits for its victims to end: {@code termination} is added to its
 * overhead. The victims are out of service at once.
 *
 * @param cold values for cold placements; not empty, none negative
 * @param hot values for hot placements; not empty, none negative
 * @param crowding added for each other instance that starts on the host; not negative
 * @param termination added to placements that preempt; not negative
 */
public record Overheads(
    List<Duration> cold, List<Duration> hot, Duration crowding, Duration termination) {

  private static final Overheads NONE = of(List.of(Duration.ZERO));

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a list is empty or a value is negative
   */
  public Overheads {
    cold = checked("cold", cold);
    hot = checked("hot", hot);
    refuseIf(crowding.isNegative(), "crowding was %s, must not be negative.", crowding);
    refuseIf(termination.isNegative(), "termination was %s, must not be negative.", termination);
  }

  /** Creates overheads under which victims end at once. */
  public Overheads(List<Duration> cold, List<Duration> hot, Duration crowding) {
    this(cold, hot, crowding, Duration.ZERO);
  }

  /** Creates overheads without crowding, under which victims end at once. */
  public Overheads(List<Duration> cold, List<Duration> hot) {
    this(cold, hot, Duration.ZERO);
  }

  /** Returns overheads of 0: instances are ready at once. */
  public static Overheads none() {
    return NONE;
  }

  /** Returns overheads with the same values for cold and hot placements. */
  public static Overheads of(List<Duration> values) {
    return new Overheads(values, values);
  }

  /**
   * Returns the same overheads with another termination time.
   *
   * @throws IllegalArgumentException if negative
   */
  public Overheads withTermination(Duration time) {
    return new Overheads(cold, hot, crowding, time);
  }

  /**
   * Returns the mean overhead of as many cold as hot placements: an estimate of the expected
   * overhead α for policies. Crowding and termination are not part of it.
   *
   * @return rounded to the nanosecond
   */
  public Duration mean() {
    return Duration.ofNanos(Math.round((mean(cold) + mean(hot)) / 2));
  }

  /** Returns the mean overhead of cold placements, without crowding, rounded to the nanosecond. */
  public Duration meanCold() {
    return Duration.ofNanos(Math.round(mean(cold)));
  }

  /**
   * Returns the overhead of a placement in nanoseconds.
   *
   * @param others number of other instances that start on the host
   */
  public long draw(long seed, String requestId, int placement, boolean onHotHost, int others) {
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
    refuseIf(copy.isEmpty(), "%s overheads were empty. Maybe Overheads.none() was meant.", which);
    for (Duration each : copy) {
      refuseIf(each.isNegative(), "%s overhead was %s, must not be negative.", which, each);
    }
    return copy;
  }
}
