package dev.berth.policies.baselines;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import java.util.Arrays;
import java.util.List;

/**
 * Hosts with the requests that a packing puts on them. Instances from before the pass only reduce
 * their free capacity.
 */
final class PackedHosts {

  private static final PackedGroup[] NONE = {};

  private final int dimensions;
  private final long[] capacity; // by host and dimension
  private final double[] total; // capacity of all hosts, by dimension
  private final boolean[] shared; // by host and dimension, whether requests use it together
  private final long[] free;
  private final PackedGroup[][] residents; // by host, the groups of its requests, with repetition
  private final int[] counts; // of residents

  PackedHosts(List<Host> hosts, List<Dimension> of) {
    dimensions = of.size();
    capacity = new long[hosts.size() * dimensions];
    total = new double[dimensions];
    free = new long[hosts.size() * dimensions];
    shared = new boolean[hosts.size() * dimensions];
    residents = new PackedGroup[hosts.size()][];
    counts = new int[hosts.size()];
    Arrays.fill(residents, NONE);
    for (int i = 0; i < hosts.size(); i++) {
      for (int d = 0; d < dimensions; d++) {
        capacity[i * dimensions + d] = hosts.get(i).capacity().amount(of.get(d));
        free[i * dimensions + d] = hosts.get(i).free(of.get(d));
        shared[i * dimensions + d] = hosts.get(i).timeShared() && isCpu(of.get(d));
        total[d] += capacity[i * dimensions + d];
      }
    }
  }

  private static boolean isCpu(Dimension dimension) {
    return dimension.name().equals(Dimension.CPU.name()); // on any scale
  }

  int size() {
    return counts.length;
  }

  int dimensions() {
    return dimensions;
  }

  long free(int host, int dimension) {
    return free[host * dimensions + dimension];
  }

  int residents(int host) {
    return counts[host];
  }

  /** Returns the group of the i-th request that the packing put on a host. */
  PackedGroup resident(int host, int i) {
    return residents[host][i];
  }

  /** Returns whether one more request of a group can be on a host. */
  boolean hasRoom(PackedGroup group, int host) {
    for (int d = 0; d < dimensions; d++) {
      if (group.demand(d) > free(host, d)) {
        return false;
      }
    }
    return group.job == null || !group.job.keepsOff(host, group.apart);
  }

  /** Returns whether a request of a group could be on a host in place of one that is there. */
  boolean hasRoomInPlaceOf(PackedGroup leaving, PackedGroup group, int host) {
    for (int d = 0; d < dimensions; d++) {
      if (group.demand(d) - free(host, d) > taken(leaving, host, d)) {
        return false;
      }
    }
    if (group.job == null || !group.job.keepsOff(host, group.apart)) {
      return true;
    }
    return leaving.job == group.job && isOnlyObstacle(leaving, group, host);
  }

  private boolean isOnlyObstacle(PackedGroup leaving, PackedGroup group, int host) {
    int obstacles = 0;
    for (int i = 0; i < counts[host]; i++) {
      PackedGroup each = residents[host][i];
      obstacles += each.job == group.job && (group.apart || each.apart) ? 1 : 0;
    }
    return obstacles == 1
        && (group.apart || leaving.apart)
        && group.job != null
        && !group.job.keptOffBefore(host, group.apart);
  }

  /** Returns the shares of the capacity that a host would have left, summed over dimensions. */
  double left(PackedGroup group, int host) {
    double left = 0;
    for (int d = 0; d < dimensions; d++) {
      if (group.demand(d) > 0) {
        left += (double) (free(host, d) - group.demand(d)) / capacity[host * dimensions + d];
      }
    }
    return left;
  }

  /** Returns the demand of a request as a share of all capacity, in its greatest dimension. */
  double share(PackedGroup group) {
    double share = 0;
    for (int d = 0; d < dimensions; d++) {
      if (group.demand(d) > 0) {
        share = Math.max(share, group.demand(d) / total[d]);
      }
    }
    return share;
  }

  /** Returns what a request on a host takes from others. */
  private long taken(PackedGroup group, int host, int dimension) {
    return shared[host * dimensions + dimension] ? 0 : group.demand(dimension);
  }

  /** Puts a request of a group on a host that has room. */
  void add(PackedGroup group, int host) {
    for (int d = 0; d < dimensions; d++) {
      free[host * dimensions + d] -= taken(group, host, d);
    }
    if (counts[host] == residents[host].length) {
      residents[host] = Arrays.copyOf(residents[host], Math.max(4, 2 * counts[host]));
    }
    residents[host][counts[host]++] = group;
    if (group.job != null) {
      group.job.add(host, group.apart);
    }
  }

  /** Takes a request of a group from a host that has one. */
  void remove(PackedGroup group, int host) {
    for (int d = 0; d < dimensions; d++) {
      free[host * dimensions + d] += taken(group, host, d);
    }
    int at = 0;
    while (residents[host][at] != group) {
      at++;
    }
    counts[host]--;
    System.arraycopy(residents[host], at + 1, residents[host], at, counts[host] - at);
    if (group.job != null) {
      recount(group.job, host);
    }
  }

  private void recount(PackedJob job, int host) {
    job.reset(host);
    for (int i = 0; i < counts[host]; i++) {
      if (residents[host][i].job == job) {
        job.add(host, residents[host][i].apart);
      }
    }
  }
}
