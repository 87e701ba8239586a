package dev.berth.simulator.execution;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.core.config.Durations;
import dev.berth.core.decision.SeededTieBreaker;
import java.time.Duration;
import java.util.List;

/**
 * The times that a scheduler needs for its decisions, which it makes one at a time.
 *
 * <p>A decision places one request. It sees the cluster at its own instant and takes effect there.
 * Then the scheduler is busy for the time of the decision, and the next one waits. So the
 * preemptions of a pass do not happen at once.
 *
 * <p>A decision draws one of the given values with equal probability. To make a value more likely,
 * list it several times. The draw is a hash of the seed, the request and the number of its
 * placement, as with {@link Overheads}.
 *
 * @param plain values for placements that preempt nothing; not empty, each from 0 to 36,500 days
 * @param preempting values for placements that preempt; not empty, each from 0 to 36,500 days
 */
public record DecisionTimes(List<Duration> plain, List<Duration> preempting) {

  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final DecisionTimes NONE = of(Duration.ZERO);

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a list is empty or a value is out of range
   */
  public DecisionTimes {
    plain = checked("plain", plain);
    preempting = checked("preempting", preempting);
  }

  /** Returns times of 0: a pass decides on all requests at one instant. */
  public static DecisionTimes none() {
    return NONE;
  }

  /**
   * Returns times under which every decision takes equally long.
   *
   * @throws IllegalArgumentException if {@code each} is out of range
   */
  public static DecisionTimes of(Duration each) {
    return new DecisionTimes(List.of(each), List.of(each));
  }

  /** Returns whether all times are 0, so that a pass decides on all requests at one instant. */
  public boolean areZero() {
    return plain.stream().allMatch(Duration::isZero)
        && preempting.stream().allMatch(Duration::isZero);
  }

  /**
   * Returns the time of a decision in nanoseconds.
   *
   * @param placement number of the placement of the request
   * @param preempts whether the placement preempts
   */
  public long draw(long seed, String requestId, int placement, boolean preempts) {
    List<Duration> values = preempts ? preempting : plain;
    long hash = SeededTieBreaker.hash(seed, placement, requestId, "decision time");
    return values.get((int) Long.remainderUnsigned(hash, values.size())).toNanos();
  }

  private static List<Duration> checked(String which, List<Duration> values) {
    List<Duration> copy = List.copyOf(values);
    refuseIf(
        copy.isEmpty(),
        "%s decision times were empty. Maybe DecisionTimes.none() was meant.",
        which);
    for (Duration each : copy) {
      if (each.isNegative() || each.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "%s decision time was %s, must be from 0 to %s days."
                .formatted(which, Durations.format(each), LONGEST.toDays()));
      }
    }
    return copy;
  }
}
