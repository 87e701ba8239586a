package dev.berth.policies.elastic;

import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.batch.Bag;
import java.time.Duration;

/**
 * The number of hosts for a bag, and its time to live, as both policies of the thesis compute them.
 *
 * @param waste mean time to migrate, start and stop one host
 * @param timeToLive rule for when a bag is cancelled
 * @param slack time added to that
 * @param assumedRunTime assumed run time of tasks without an estimate
 */
record BagSizing(Duration waste, TimeToLive timeToLive, Duration slack, Duration assumedRunTime) {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Returns the expected total run time of the tasks of a bag, in nanoseconds. */
  long walltime(Bag bag) {
    return bag.estimatedRunTime()
        .orElseGet(() -> saturated((double) bag.size() * (double) assumedRunTime.toNanos()));
  }

  long estimate(Instance instance) {
    return instance.request().estimatedRunTime().orElse(assumedRunTime.toNanos());
  }

  /**
   * Returns the number of hosts for a bag: QMV0, but at most as many as its tasks can use.
   *
   * @param slots how many of its tasks a host takes
   */
  int hostsFor(Bag bag, int slots) {
    int useful = (bag.size() - 1) / slots + 1;
    int sizing = ClusterSizing.hostsFor(walltime(bag) / slots, waste);
    return Math.min(sizing, useful);
  }

  /**
   * Returns the time to live of a bag from now on, in nanoseconds.
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
