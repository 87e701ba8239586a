package dev.berth.policies.qos;

import java.util.Arrays;

/**
 * Divides service times into steps, each a fourth of an octave: step i begins at 60 s ·
 * (2<sup>i/4</sup> − 1). So what is known of short and of long jobs is equally fine.
 */
final class ServiceGrid {

  /** The service below which jobs are alike. */
  static final long OFFSET = 60_000_000_000L;

  /** The number of steps; the last begins beyond the longest life. */
  static final int STEPS = 104;

  private static final int PER_OCTAVE = 4;
  private static final int PER_LEVEL = 2;

  /** The number of levels. */
  static final int LEVELS = STEPS / PER_LEVEL;

  private static final long[] BEGINS = new long[STEPS];

  static {
    Arrays.setAll(
        BEGINS, i -> (long) ((double) OFFSET * (StrictMath.pow(2, (double) i / PER_OCTAVE) - 1)));
  }

  private ServiceGrid() {}

  /** Returns the step of a service time in nanoseconds, not negative. */
  static int step(long service) {
    int found = Arrays.binarySearch(BEGINS, service);
    return found >= 0 ? found : -found - 2;
  }

  /** Returns where a step begins; {@link Long#MAX_VALUE} beyond the last. */
  static long begin(int step) {
    return step < STEPS ? BEGINS[step] : Long.MAX_VALUE;
  }

  /** Returns where a level begins; {@link Long#MAX_VALUE} beyond the last. */
  static long beginOfLevel(int level) {
    return begin(level * PER_LEVEL);
  }

  /** Returns the level of a service time: half an octave. */
  static int level(long service) {
    return step(service) / PER_LEVEL;
  }
}
