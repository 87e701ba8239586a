package dev.berth.policies.baselines;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Demand over supply, of hosts and of groups of requests.
 *
 * <p>Every group spreads its requests over the hosts that have room for them: the more on a host
 * the more of them it can take, and the fewer the more others want it. This repeats some rounds.
 * The <em>pressure</em> on a host is then the share of its free capacity that is wanted, in the
 * dimension in which that is greatest. Above 1, more is wanted than there is. Capacity that no
 * further request of one size can use counts as wanted by those of that size.
 *
 * <p>The scarcity of a group is the least pressure on its hosts, since none is a better
 * alternative. It is at least the ratio of its requests to their places. Instances that
 * anti-affinity avoids do not count.
 *
 * <p>Hosts with the same room that meet the same constraints are one kind. The cost is O(rounds ·
 * groups · kinds).
 */
final class Scarcity {

  private static final int ROUNDS = 8;
  private static final double AVERSION = 4; // e^-4 times the requests at pressure 1

  private final PackedHosts hosts;
  private final List<PackedGroup> groups;
  private final List<Kind> kinds = new ArrayList<>();
  private final Kind[] kindOf; // by host
  private final double[] ofGroups; // by number

  Scarcity(PackedHosts hosts, List<PackedGroup> groups) {
    this.hosts = hosts;
    this.groups = groups;
    this.kindOf = new Kind[hosts.size()];
    this.ofGroups = new double[groups.size()];
    findKinds();
    for (int round = 0; round < ROUNDS; round++) {
      groups.forEach(this::spread);
      double step = round == 0 ? 1 : 0.5; // half steps, so that the demand does not swing
      kinds.forEach(each -> each.update(step));
    }
    groups.forEach(each -> ofGroups[each.number] = scarcity(each));
  }

  /** Returns the pressure on a host; not negative. */
  double ofHost(int host) {
    return kindOf[host].pressure;
  }

  /** Returns the scarcity of a group; not negative; 0 if no host has room for it. */
  double of(PackedGroup group) {
    return ofGroups[group.number];
  }

  private record Alike(BitSet sets, List<Long> free) {}

  /** Hosts that are alike for all groups. */
  private static final class Kind {

    private final BitSet sets; // numbers of the sets that its hosts belong to
    private final long[] free; // of each host, by dimension
    private final double[] wanted; // shares of the free capacity of all, by dimension
    private int count;
    private double pressure;
    private double attraction = 1;

    Kind(Alike alike) {
      this.sets = alike.sets;
      this.free = alike.free.stream().mapToLong(Long::longValue).toArray();
      this.wanted = new double[free.length];
    }

    /** Returns how many requests of a group one host can take. */
    long places(PackedGroup group) {
      if (!sets.get(group.hosts.number())) {
        return 0;
      }
      long places = group.apart ? 1 : group.size();
      for (int d = 0; d < free.length; d++) {
        if (group.demand(d) > 0) {
          places = Math.min(places, Math.max(0, free[d]) / group.demand(d));
        }
      }
      return places;
    }

    void want(PackedGroup group, double requests) {
      for (int d = 0; d < free.length; d++) {
        if (group.demand(d) > 0) {
          long places = free[d] / group.demand(d); // of that size alone
          wanted[d] += requests / places / count;
        }
      }
    }

    void update(double step) {
      double greatest = 0;
      for (int d = 0; d < wanted.length; d++) {
        greatest = Math.max(greatest, wanted[d]);
        wanted[d] = 0;
      }
      pressure += step * (greatest - pressure);
      attraction = StrictMath.exp(-AVERSION * pressure);
    }
  }

  private void findKinds() {
    Set<HostSet> distinct = new LinkedHashSet<>();
    groups.forEach(each -> distinct.add(each.hosts));
    BitSet[] sets = new BitSet[hosts.size()];
    for (int host = 0; host < sets.length; host++) {
      sets[host] = new BitSet();
    }
    for (HostSet each : distinct) {
      for (int i = 0; i < each.size(); i++) {
        sets[each.host(i)].set(each.number());
      }
    }
    Map<Alike, Kind> found = new HashMap<>(); // only looked up
    for (int host = 0; host < sets.length; host++) {
      Kind kind = found.computeIfAbsent(new Alike(sets[host], freeOn(host)), this::kind);
      kind.count++;
      kindOf[host] = kind;
    }
  }

  private Kind kind(Alike alike) {
    Kind kind = new Kind(alike);
    kinds.add(kind);
    return kind;
  }

  private List<Long> freeOn(int host) {
    List<Long> free = new ArrayList<>();
    for (int d = 0; d < hosts.dimensions(); d++) {
      free.add(hosts.free(host, d));
    }
    return free;
  }

  private void spread(PackedGroup group) {
    double sum = 0;
    for (Kind each : kinds) {
      sum += each.places(group) * each.count * each.attraction;
    }
    if (sum > 0) {
      for (Kind each : kinds) {
        long places = each.places(group);
        if (places > 0) {
          each.want(group, group.size() * places * each.count * each.attraction / sum);
        }
      }
    }
  }

  private double scarcity(PackedGroup group) {
    double places = 0;
    double least = Double.POSITIVE_INFINITY;
    for (Kind each : kinds) {
      long here = each.places(group);
      if (here > 0) {
        places += (double) here * each.count;
        least = Math.min(least, each.pressure);
      }
    }
    return places == 0 ? 0 : Math.max(least, group.size() / places);
  }
}
