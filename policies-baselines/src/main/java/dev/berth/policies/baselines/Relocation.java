package dev.berth.policies.baselines;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes room for a request by changing the hosts that the packing chose for others.
 *
 * <p>The request takes the place of another one, which takes the place of a third, and so on; the
 * last has room elsewhere. A search finds a shortest such chain, breadth first. It is an augmenting
 * path, as in the matching of bipartite graphs. Only one request of each group takes part, and a
 * search looks at a limited number of groups, so it can miss a chain.
 */
final class Relocation {

  /** The most visits to hosts of all searches together, for each host. */
  static final int VISITS = 5_000;

  private static final int GROUPS = 128; // that one search looks at

  private final PackedHosts hosts;
  private final PackedGroup[] successors; // by group, which group takes its place in the chain
  private final int[] from; // by group, the host on which it does
  private final int[] searches; // by group, the latest search that found it
  private int search;
  private long visits;

  Relocation(PackedHosts hosts, int groups) {
    this.hosts = hosts;
    this.successors = new PackedGroup[groups];
    this.from = new int[groups];
    this.searches = new int[groups];
    this.visits = (long) VISITS * hosts.size();
  }

  /** Places one more request of a group for which no host has room; returns whether it could. */
  boolean makeRoom(PackedGroup group) {
    search++;
    searches[group.number] = search;
    from[group.number] = -1;
    List<PackedGroup> found = new ArrayList<>(List.of(group));
    for (int i = 0; i < found.size() && i < GROUPS && visits > 0; i++) {
      PackedGroup next = found.get(i);
      if (i > 0 && canMove(next, group)) {
        return true;
      }
      findThoseInTheWayOf(next, found);
    }
    return false;
  }

  /** Adds the groups of which a request can leave its host to one of the given group. */
  private void findThoseInTheWayOf(PackedGroup group, List<PackedGroup> found) {
    visits -= group.hosts.size();
    for (int i = 0; i < group.hosts.size(); i++) {
      int host = group.hosts.host(i);
      for (int k = 0; k < hosts.residents(host) && host != from[group.number]; k++) {
        PackedGroup each = hosts.resident(host, k);
        if (searches[each.number] != search && hosts.hasRoomInPlaceOf(each, group, host)) {
          searches[each.number] = search;
          successors[each.number] = group;
          from[each.number] = host;
          found.add(each);
        }
      }
    }
  }

  /** Moves a request of a group to a host with room, and the chain after it. */
  private boolean canMove(PackedGroup group, PackedGroup first) {
    for (int i = 0; i < group.hosts.size(); i++) {
      visits--;
      int host = group.hosts.host(i);
      if (host != from[group.number]
          && hosts.hasRoom(group, host)
          && moveChain(group, host, first)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Moves the last of a chain to a host, and each other one to the place that becomes free. Returns
   * false, and changes nothing, if two moves are in each other's way.
   */
  private boolean moveChain(PackedGroup last, int to, PackedGroup first) {
    List<PackedGroup> moved = new ArrayList<>();
    PackedGroup next = last;
    int host = to;
    while (hosts.hasRoom(next, host)) {
      hosts.add(next, host);
      if (next == first) {
        return true;
      }
      hosts.remove(next, from[next.number]);
      moved.add(next);
      host = from[next.number];
      next = successors[next.number];
    }
    for (int i = moved.size() - 1; i >= 0; i--) {
      PackedGroup each = moved.get(i);
      hosts.remove(each, i == 0 ? to : from[moved.get(i - 1).number]);
      hosts.add(each, from[each.number]);
    }
    return false;
  }
}
