package dev.berth.traces.format.bitbrains;

/**
 * A row of a machine's file.
 *
 * @param at the time in nanoseconds since 1970
 * @param cores the provisioned cores, in units
 * @param provisioned the provisioned memory in bytes
 * @param used the used memory in bytes, at most the provisioned memory
 */
record Sample(long at, long cores, long provisioned, long used) {

  boolean isProvisionedLike(Sample other) {
    return cores == other.cores && provisioned == other.provisioned;
  }

  /** Returns a sample with the greater of each amount of two samples of the same time. */
  Sample mergedWith(Sample other) {
    return new Sample(
        at,
        Math.max(cores, other.cores),
        Math.max(provisioned, other.provisioned),
        Math.max(used, other.used));
  }
}
