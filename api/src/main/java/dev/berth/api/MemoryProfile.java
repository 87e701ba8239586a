package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The memory that a job needs, as a step function of its progress (MEMiC, section 2.3).
 *
 * <p>Progress is work done, in nanoseconds at full speed. A slowed job reaches each step later; a
 * migrated job resumes where it stopped. Immutable. Look-ups cost O(log steps).
 */
public final class MemoryProfile {

  private final long[] from; // ascending, the first 0
  private final long[] need;
  private final long[] maximumFrom; // of this step and all later ones

  private MemoryProfile(List<Step> steps) {
    refuseIf(
        steps.isEmpty(),
        "memory profile was empty, must have a step from 0. Maybe omit the profile.");
    this.from = steps.stream().mapToLong(Step::from).toArray();
    this.need = steps.stream().mapToLong(Step::need).toArray();
    this.maximumFrom = need.clone();
    for (int i = need.length - 2; i >= 0; i--) {
      maximumFrom[i] = Math.max(maximumFrom[i], maximumFrom[i + 1]);
    }
    if (from[0] != 0) {
      throw new IllegalArgumentException(
          "memory profile: the first step was from %s ns, must be from 0.".formatted(from[0]));
    }
    for (int i = 1; i < from.length; i++) {
      if (from[i] <= from[i - 1]) {
        throw new IllegalArgumentException(
            "memory profile: step %s was from %s ns, must be later than the one before it, from %s ns."
                .formatted(i + 1, from[i], from[i - 1]));
      }
    }
  }

  /**
   * Returns a profile with these steps.
   *
   * @param steps at least one; the first starts at 0, each later than the one before
   * @throws IllegalArgumentException if they are not
   */
  public static MemoryProfile of(List<Step> steps) {
    Objects.requireNonNull(steps, "steps");
    return new MemoryProfile(steps);
  }

  /**
   * Returns the profile of a job whose need is constant.
   *
   * @param need in bytes, not negative
   */
  public static MemoryProfile constant(long need) {
    return of(List.of(new Step(0, need)));
  }

  /** Returns the number of steps, at least 1. */
  public int size() {
    return from.length;
  }

  /**
   * Returns the work done at which a step begins, in nanoseconds.
   *
   * @param step counted from 0
   */
  public long from(int step) {
    return from[step];
  }

  /**
   * Returns the need in a step, in bytes.
   *
   * @param step counted from 0
   */
  public long need(int step) {
    return need[step];
  }

  /** Returns the steps, in order. */
  public List<Step> steps() {
    return java.util.stream.IntStream.range(0, from.length)
        .mapToObj(i -> new Step(from[i], need[i]))
        .toList();
  }

  /**
   * Returns the index of the step that applies after some work.
   *
   * @param work nanoseconds at full speed, not negative
   */
  public int stepAt(long work) {
    int at = Arrays.binarySearch(from, work);
    return at >= 0 ? at : -at - 2;
  }

  /**
   * Returns the need after some work, in bytes.
   *
   * @param work nanoseconds at full speed, not negative
   */
  public long needAt(long work) {
    return need[stepAt(work)];
  }

  /** Returns the need at the start, in bytes. */
  public long initial() {
    return need[0];
  }

  /** Returns the greatest need, in bytes. */
  public long maximum() {
    return maximumFrom[0];
  }

  /**
   * Returns the greatest need in a step and all later ones, in bytes.
   *
   * @param step counted from 0
   */
  public long maximumFrom(int step) {
    return maximumFrom[step];
  }

  /**
   * Returns the mean need over a run, in bytes, rounded up.
   *
   * @param work nanoseconds that the run takes at full speed, positive; steps that begin later do
   *     not count
   */
  public long average(long work) {
    BigInteger sum = BigInteger.ZERO; // bytes times nanoseconds: more than a long or double holds
    for (int i = 0; i < from.length && from[i] < work; i++) {
      long end = i + 1 < from.length ? Math.min(from[i + 1], work) : work;
      sum = sum.add(BigInteger.valueOf(need[i]).multiply(BigInteger.valueOf(end - from[i])));
    }
    BigInteger[] mean = sum.divideAndRemainder(BigInteger.valueOf(work));
    return mean[0].longValue() + mean[1].signum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryProfile that
        && Arrays.equals(from, that.from)
        && Arrays.equals(need, that.need);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(need);
  }

  /** Returns the range: {@code "memory 0.5 to 4.5 in 9 steps"}. */
  @Override
  public String toString() {
    long least = Arrays.stream(need).min().orElseThrow();
    return "memory %s to %s in %s steps"
        .formatted(Dimension.MEMORY.format(least), Dimension.MEMORY.format(maximum()), from.length);
  }

  /**
   * A step of a profile.
   *
   * @param from the work done at which it begins, in nanoseconds at full speed, not negative
   * @param need memory needed from then on, in bytes, not negative
   */
  public record Step(long from, long need) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is negative
     */
    public Step {
      refuseIf(
          from < 0 || need < 0,
          "memory profile: a step from %s ns needs %s bytes; neither must be negative.",
          from,
          need);
    }
  }
}
