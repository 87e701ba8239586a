package dev.berth.core.internal.search;

import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.state.ClusterState;
import java.util.Arrays;

/**
 * The most free capacity of any host in each dimension: an upper bound of what fits.
 *
 * <p>A tree of maxima over the slots of the host table. It follows the hosts that have changed, at
 * O(log hosts) each.
 */
final class MostFree implements RoomBound {

  private static final long NO_HOST = Long.MIN_VALUE;

  private final ClusterState state;
  private final HostTable table;
  private int dimensions;
  private int leaves = 1; // a power of two
  private long[] most = {};
  private long version = Long.MIN_VALUE;
  private boolean built; // false also after a rebuild that failed half-way

  MostFree(ClusterState state) {
    this.state = state;
    this.table = state.table();
  }

  /** Follows a host that left. */
  void left(HostRecord host) {
    if (built && host.slot() < leaves) {
      Arrays.fill(most, at(host.slot()), at(host.slot()) + dimensions, NO_HOST);
      climb(host.slot());
    }
  }

  /** Follows the hosts that have changed. */
  void refresh() {
    if (!built || table.slots() > leaves || table.dimensions() != dimensions) {
      rebuild();
    } else {
      HostRecord host = state.latestChanged();
      while (host != null && host.version() > version) {
        read(host);
        climb(host.slot());
        host = host.changedBefore();
      }
    }
    version = state.versions();
  }

  @Override
  public boolean mayFit(long[] need, long runTime) {
    int root = dimensions; // node 1
    for (int d = 0; d < need.length && d < dimensions; d++) {
      if (need[d] > most[root + d]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether an amount exceeds what is free on every host but one. */
  boolean exceedsAllBut(int slot, int dimension, long amount) {
    for (int node = leaves + slot; node > 1; node >>= 1) {
      if (amount <= most[(node ^ 1) * dimensions + dimension]) {
        return false;
      }
    }
    return true;
  }

  private void rebuild() {
    built = false;
    dimensions = table.dimensions();
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * table.slots() - 1)));
    most = new long[2 * leaves * dimensions];
    Arrays.fill(most, NO_HOST);
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      if (host != null) {
        read(host);
      }
    }
    for (int node = leaves - 1; node > 0; node--) {
      combine(node);
    }
    built = true;
  }

  private void read(HostRecord host) {
    for (int d = 0; d < dimensions; d++) {
      most[at(host.slot()) + d] = host.isClosed() ? NO_HOST : table.free(host.slot(), d);
    }
  }

  private void climb(int slot) {
    for (int node = (leaves + slot) >> 1; node > 0; node >>= 1) {
      combine(node);
    }
  }

  private void combine(int node) {
    for (int d = 0; d < dimensions; d++) {
      most[node * dimensions + d] =
          Math.max(most[2 * node * dimensions + d], most[(2 * node + 1) * dimensions + d]);
    }
  }

  private int at(int slot) {
    return (leaves + slot) * dimensions;
  }
}
