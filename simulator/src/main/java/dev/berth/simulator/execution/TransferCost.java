package dev.berth.simulator.execution;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;

/**
 * The time it takes to move the memory of an instance to another host, or back from disk.
 *
 * @param fixed time for any amount of memory; not negative
 * @param bytesPerSecond speed of the copy; positive
 */
public record TransferCost(Duration fixed, long bytesPerSecond) {

  private static final long BEYOND_MEASURE = Long.MAX_VALUE;
  private static final double NANOS = 1e9;

  /** Moving memory takes no time. */
  public static final TransferCost NONE = new TransferCost(Duration.ZERO, BEYOND_MEASURE);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public TransferCost {
    refuseIf(fixed.isNegative(), "transfer cost: fixed was %s, must not be negative.", fixed);
    refuseIf(
        bytesPerSecond <= 0,
        "transfer cost: bytes per second was %s, must be positive.",
        bytesPerSecond);
  }

  /** Returns the time for a number of bytes, in nanoseconds. */
  public long nanosFor(long bytes) {
    if (bytesPerSecond == BEYOND_MEASURE) {
      return fixed.toNanos();
    }
    return fixed.toNanos() + Math.round(bytes / (double) bytesPerSecond * NANOS);
  }
}
