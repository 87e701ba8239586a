package dev.berth.policies.elastic;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The arithmetic of ElasticSite and ElasticCluster: how many hosts to start and to stop. */
public final class ClusterSizing {

  private ClusterSizing() {}

  /**
   * Returns QMV0, the number of hosts for a bag of tasks (Eq. 3.5, the <i>bursts</i> policy): the
   * square root of {@code walltime / (2 · waste)}, to the nearest whole number, at least 1.
   *
   * @param walltime total run time of its tasks, in nanoseconds, not negative
   * @param waste mean time to migrate, start and stop one host; positive
   */
  public static int hostsFor(long walltime, Duration waste) {
    double hosts = Math.sqrt(walltime / (2.0 * waste.toNanos()));
    return (int) Math.max(1, Math.min(Math.round(hosts), Integer.MAX_VALUE));
  }

  /**
   * Returns how long a bag may take (Eq. 3.8): its share of the walltime, and a slack.
   *
   * @param walltime nanoseconds
   * @param hosts positive
   */
  public static long timeToLive(long walltime, int hosts, Duration slack) {
    return walltime / hosts + slack.toNanos();
  }

  /**
   * Returns an upper bound for the time to run tasks if no host idles while a task waits (Graham's
   * bound of list scheduling): {@code walltime / hosts + longest · (1 − 1 / hosts)}.
   *
   * @param walltime what they run together, nanoseconds
   * @param longest what the longest of them runs, nanoseconds
   * @param hosts positive
   */
  public static long listSchedulingTime(long walltime, long longest, int hosts) {
    return walltime / hosts + longest - longest / hosts;
  }

  /**
   * A cluster as Algorithm 1 sees it.
   *
   * @param name its name
   * @param hosts number of hosts, including starting ones
   * @param utilisation U, from 0 to 1
   */
  public record Cluster(String name, int hosts, double utilisation) {

    /** Returns how many of its hosts are idle, as the parts of them that are (Eq. 3.6). */
    double idle() {
      return hosts * (1 - utilisation);
    }
  }

  /**
   * How far clusters may grow.
   *
   * @param maxUtilisation U_max: a busier one does not grow
   * @param maxHosts MV_max
   */
  public record Limits(double maxUtilisation, int maxHosts) {}

  /**
   * What Algorithm 1 decides.
   *
   * @param cluster the cluster to run the bag on, or empty for a new one
   * @param start how many hosts to start for it, not negative
   */
  public record Growth(Optional<String> cluster, int start) {}

  /**
   * Decides where a bag runs and how many hosts are started for it (Algorithm 1): on the most
   * available cluster if its idle hosts suffice; otherwise on the same cluster plus the missing
   * hosts, if that is within the limits; otherwise on a new cluster.
   *
   * @param wanted QMV0
   * @param clusters in the order in which they were created: of equally available ones the first
   *     wins
   */
  public static Growth grow(int wanted, List<Cluster> clusters, Limits limits) {
    Optional<Cluster> adaptable =
        clusters.stream()
            .reduce((one, other) -> note(other, limits) > note(one, limits) ? other : one);
    if (adaptable.isEmpty()) {
      return new Growth(Optional.empty(), wanted);
    }
    Cluster cluster = adaptable.get();
    long missing = Math.round(wanted - cluster.idle());
    if (missing <= 0) {
      return new Growth(Optional.of(cluster.name()), 0);
    }
    return cluster.utilisation() <= limits.maxUtilisation()
            && missing <= limits.maxHosts() - cluster.hosts()
        ? new Growth(Optional.of(cluster.name()), (int) missing)
        : new Growth(Optional.empty(), wanted);
  }

  /**
   * Returns how available a cluster is: the less it is used and the more hosts it has, the more.
   * The thesis names the two functions, decreasing and increasing onto [0, 1], without defining
   * them. Here they are {@code 1 − U} and {@code hosts / MV_max}, at most 1.
   */
  static double note(Cluster cluster, Limits limits) {
    return 1 - cluster.utilisation() + Math.min(1, (double) cluster.hosts() / limits.maxHosts());
  }

  /**
   * Returns how many hosts of a cluster to stop when a bag ends there (Algorithm 2): its share of
   * them minus those that waiting bags need.
   *
   * @param hosts how many the cluster has
   * @param share U of the bag: what part of the cluster it used, from 0 to 1
   * @param wanted QMV0 of all bags that wait, summed; not negative
   */
  public static int shrink(int hosts, double share, int wanted) {
    return (int) Math.max(0, Math.round(hosts * share) - wanted);
  }

  /** Returns the greatest number of a list, or 0. */
  static int most(List<Integer> numbers) {
    return numbers.stream().max(Comparator.naturalOrder()).orElse(0);
  }
}
