package dev.berth.api;

/**
 * What is known of an application on a host from the times it ran there.
 *
 * @param runs how often it completed there; positive
 * @param meanCpuTime its mean CPU time in nanoseconds, newer runs counting more: {@code 0.75 · mean
 *     + 0.25 · new} after each (metascheduling policies, Eq. 2); not negative
 */
public record ApplicationHistory(long runs, long meanCpuTime) {

  private static final long WEIGHTS = 4; // three for what was before, one for the new

  /** Checks the ranges. */
  public ApplicationHistory {
    if (runs <= 0 || meanCpuTime < 0) {
      throw new IllegalArgumentException(
          "application history: %s runs of %s ns, must be positive and not negative."
              .formatted(runs, meanCpuTime));
    }
  }

  /** Returns the history of an application that ran for the first time. */
  public static ApplicationHistory first(long cpuTime) {
    return new ApplicationHistory(1, cpuTime);
  }

  /**
   * Returns it with one more run, to the nearest nanosecond below.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public ApplicationHistory plus(long cpuTime) {
    if (cpuTime < 0) {
      throw new IllegalArgumentException(
          "CPU time was %s ns, must not be negative.".formatted(cpuTime));
    }
    long wholes = (WEIGHTS - 1) * (meanCpuTime / WEIGHTS) + cpuTime / WEIGHTS;
    long rests = (WEIGHTS - 1) * (meanCpuTime % WEIGHTS) + cpuTime % WEIGHTS;
    long mean = wholes + rests / WEIGHTS; // the sum itself may be beyond counting
    return new ApplicationHistory(runs + 1, mean);
  }
}
