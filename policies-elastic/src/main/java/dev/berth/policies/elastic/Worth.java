package dev.berth.policies.elastic;

import dev.berth.api.Bag;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import java.time.Duration;

/**
 * How many hosts a bag is worth, and for how long: what both policies of the thesis share.
 *
 * @param waste mean time to migrate, start and stop one host
 * @param timeToLive after what time a bag is cancelled
 * @param slack what is added to that
 * @param assumedRunTime of tasks whose user says nothing
 */
record Worth(Duration waste, TimeToLive timeToLive, Duration slack, Duration assumedRunTime) {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Returns what the tasks of a bag are expected to run together, in nanoseconds. */
  long walltime(Bag bag) {
    return bag.estimatedRunTime()
        .orElseGet(() -> saturated((double) bag.size() * (double) assumedRunTime.toNanos()));
  }

  long estimate(Instance instance) {
    return instance.request().estimatedRunTime().orElse(assumedRunTime.toNanos());
  }

  /**
   * Returns how many hosts a bag is worth: QMV0, but no more than it has tasks for, nor than there
   * can be.
   *
   * @param slots how many of its tasks a host takes
   */
  int hostsFor(Bag bag, int slots, Pool pool) {
    int useful = (bag.size() + slots - 1) / slots;
    int worth = ClusterSizing.hostsFor(walltime(bag) / slots, waste);
    return Math.min(Math.min(worth, useful), pool.spec().limit());
  }

  /** Returns how long a bag may take, from now on, in nanoseconds. */
  long timeToLive(Bag bag, int slots, int hosts, Pool pool) {
    long walltime = walltime(bag) / slots;
    if (timeToLive == TimeToLive.PUBLISHED) {
      return ClusterSizing.timeToLive(walltime, hosts, slack);
    }
    long longest = bag.instances().stream().mapToLong(this::estimate).max().orElse(0);
    long atMost =
        ClusterSizing.listSchedulingTime(walltime, Math.min(longest, walltime(bag)), hosts);
    return saturated(
        (double) atMost + (double) pool.spec().startDelay().toNanos() + (double) slack.toNanos());
  }

  private static long saturated(double nanos) {
    return (long) Math.min(nanos, (double) LONGEST.toNanos());
  }
}
