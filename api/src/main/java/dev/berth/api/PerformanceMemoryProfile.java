package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The measured run time of a job as a function of its granted memory (the PMP of MEMiC, section
 * 5.4). It is a step function through the measured points. Immutable.
 *
 * <p>It gives the slow-down of a job that is granted less memory than it needs; with enough memory
 * the job runs at full speed. Between two points the one with less memory applies, so that no speed
 * is assumed that was not measured. Below the smallest point, that point applies.
 *
 * <p>Equation 5.1 of the thesis reads {@code t_z = PMP(ma_z) · (ma_0 / T_0)}, which is not a time.
 * Berth follows the explanation in the text: the part of a run within an interval takes longer by
 * the same factor as the whole run would with that memory, {@code PMP(ma_z) / T_0}.
 */
public final class PerformanceMemoryProfile {

  private final long[] memory; // ascending
  private final long[] runTime; // not ascending
  private final Slowdown[] slowdowns;

  private PerformanceMemoryProfile(List<Point> points) {
    refuseIf(
        points.isEmpty(),
        "performance-memory profile was empty, must have a point. Maybe omit the profile.");
    List<Point> ascending =
        points.stream().sorted(Comparator.comparingLong(Point::memory)).toList();
    for (int i = 1; i < ascending.size(); i++) {
      Point less = ascending.get(i - 1);
      Point more = ascending.get(i);
      if (less.memory == more.memory) {
        throw new IllegalArgumentException(
            "performance-memory profile: memory %s was given twice."
                .formatted(Dimension.MEMORY.format(more.memory)));
      }
      if (less.runTime < more.runTime) {
        throw new IllegalArgumentException(
            "performance-memory profile: run time with memory %s was %s ns, longer than the %s ns with %s; more memory must not be slower."
                .formatted(
                    Dimension.MEMORY.format(more.memory),
                    more.runTime,
                    less.runTime,
                    Dimension.MEMORY.format(less.memory)));
      }
    }
    this.memory = ascending.stream().mapToLong(Point::memory).toArray();
    this.runTime = ascending.stream().mapToLong(Point::runTime).toArray();
    long best = runTime[runTime.length - 1];
    this.slowdowns =
        Arrays.stream(runTime)
            .mapToObj(each -> Slowdown.ratio(each, best))
            .toArray(Slowdown[]::new);
  }

  /**
   * Returns a profile through measured points, in any order.
   *
   * @param points at least one; more memory is never slower
   * @throws IllegalArgumentException if there is none, a memory occurs twice, or more memory is
   *     slower
   */
  public static PerformanceMemoryProfile of(List<Point> points) {
    Objects.requireNonNull(points, "points");
    return new PerformanceMemoryProfile(points);
  }

  /** Returns the measured points, by ascending memory. */
  public List<Point> points() {
    return java.util.stream.IntStream.range(0, memory.length)
        .mapToObj(i -> new Point(memory[i], runTime[i]))
        .toList();
  }

  /**
   * Returns the run time with some memory, in nanoseconds. Costs O(log points).
   *
   * @param granted in bytes, not negative
   */
  public long runTime(long granted) {
    return runTime[point(granted)];
  }

  /**
   * Returns the slow-down with some memory, relative to the most memory measured. Costs O(log
   * points).
   *
   * @param granted in bytes, not negative
   */
  public Slowdown slowdown(long granted) {
    return slowdowns[point(granted)];
  }

  private int point(long granted) {
    int at = Arrays.binarySearch(memory, granted);
    return at >= 0 ? at : Math.max(0, -at - 2);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PerformanceMemoryProfile that
        && Arrays.equals(memory, that.memory)
        && Arrays.equals(runTime, that.runTime);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(memory) + Arrays.hashCode(runTime);
  }

  @Override
  public String toString() {
    return "performance-memory profile of " + points();
  }

  /**
   * A measured run.
   *
   * @param memory granted memory in bytes, not negative
   * @param runTime run time in nanoseconds, positive
   */
  public record Point(long memory, long runTime) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Point {
      refuseIf(
          memory < 0 || runTime <= 0,
          "performance-memory profile: memory %s with run time %s ns; memory must not be negative, run time must be positive.",
          memory,
          runTime);
    }
  }
}
