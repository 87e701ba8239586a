package dev.berth.api;

/**
 * The past runs of an application on one host. Immutable.
 *
 * @param runs number of completed runs; positive
 * @param meanCpuTime weighted mean CPU time in nanoseconds: {@code 0.75 · mean + 0.25 · new} after
 *     each (metascheduling policies, Eq. 2); not negative
 */
public record ApplicationHistory(long runs, long meanCpuTime) {

  private static final long WEIGHTS = 4; // three for the old mean, one for the new run

  /** Checks the ranges. */
  public ApplicationHistory {
    if (runs <= 0 || meanCpuTime < 0) {
      throw new IllegalArgumentException(
          "application history: %s runs of %s ns, must be positive and not negative."
              .formatted(runs, meanCpuTime));
    }
  }

  /**
   * Returns the history after a first run.
   *
   * @param cpuTime nanoseconds, not negative
   */
  public static ApplicationHistory first(long cpuTime) {
    return new ApplicationHistory(1, cpuTime);
  }

  /**
   * Returns this history with one more run. The mean is rounded down to the nanosecond.
   *
   * @param cpuTime nanoseconds, not negative
   * @throws IllegalArgumentException if the time is negative
   */
  public ApplicationHistory plus(long cpuTime) {
    if (cpuTime < 0) {
      throw new IllegalArgumentException(
          "CPU time was %s ns, must not be negative.".formatted(cpuTime));
    }
    long wholes = (WEIGHTS - 1) * (meanCpuTime / WEIGHTS) + cpuTime / WEIGHTS;
    long rests = (WEIGHTS - 1) * (meanCpuTime % WEIGHTS) + cpuTime % WEIGHTS;
    long mean = wholes + rests / WEIGHTS; // the sum itself may overflow
    return new ApplicationHistory(runs + 1, mean);
  }
}
