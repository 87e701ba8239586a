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
record BagSizing(Duration waste, TimeToLive timeToLive, Duration slack, Duration assumedRunTime) {

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
   * Returns how many hosts a bag is worth: QMV0, but no more than it has tasks for.
   *
   * @param slots how many of its tasks a host takes
   */
  int hostsFor(Bag bag, int slots) {
    int useful = (bag.size() - 1) / slots + 1;
    int sizing = ClusterSizing.hostsFor(walltime(bag) / slots, waste);
    return Math.min(sizing, useful);
  }

  /**
   * Returns how long a bag may take, from now on, in nanoseconds.
   *
   * @param slots how many of its tasks a host takes at least
   * @param hosts how many it has
   */
  long timeToLive(Bag bag, int slots, int hosts, Pool pool) {
    long walltime = walltime(bag) / slots;
    if (timeToLive == TimeToLive.PUBLISHED) {
      return ClusterSizing.timeToLive(walltime, hosts, slack);
    }
    long longest = bag.instances().stream().mapToLong(this::estimate).max().orElse(0);
    long atMost =
        ClusterSizing.listSchedulingTime(walltime, Math.min(longest, walltime(bag)), hosts);
    Duration delay = pool.spec().startDelay();
    long start = (delay.compareTo(LONGEST) < 0 ? delay : LONGEST).toNanos();
    return saturated((double) atMost + (double) start + (double) slack.toNanos());
  }

  private static long saturated(double nanos) {
    return (long) Math.min(nanos, (double) LONGEST.toNanos());
  }
}
