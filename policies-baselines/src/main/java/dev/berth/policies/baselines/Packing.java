package dev.berth.policies.baselines;

import dev.berth.api.Instance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ObjIntConsumer;

/** Chooses hosts for groups of requests. */
final class Packing {

  private final PackedHosts hosts;
  private final List<PackedGroup> order;
  private final Scarcity scarcity;
  private final Relocation relocation;

  Packing(PackedHosts hosts, List<PackedGroup> groups) {
    this.hosts = hosts;
    this.scarcity = new Scarcity(hosts, groups);
    this.relocation = new Relocation(hosts, groups.size());
    this.order = new ArrayList<>(groups);
    order.sort(
        Comparator.<PackedGroup>comparingInt(each -> each.importance)
            .thenComparing(Comparator.<PackedGroup>comparingDouble(scarcity::of).reversed())
            .thenComparing(
                Comparator.<PackedGroup>comparingDouble(hosts::share)
                    .reversed())); // stable: then by admission
  }

  /** Puts as many requests on hosts as it can. */
  void pack() {
    for (PackedGroup each : order) {
      fill(each);
      while (each.isWaiting() && relocation.makeRoom(each)) {
        each.placedOne();
      }
    }
    order.forEach(this::fill); // a later relocation can make room for an earlier group
  }

  /** Fills the hosts with the least left and the least pressure. */
  private void fill(PackedGroup group) {
    if (!group.isWaiting()) {
      return;
    }
    long[] candidates = candidates(group);
    for (int i = 0; i < candidates.length && group.isWaiting(); i++) {
      int host = (int) candidates[i];
      while (group.isWaiting() && hosts.hasRoom(group, host)) {
        hosts.add(group, host);
        group.placedOne();
      }
    }
  }

  /** Returns the numbers of the hosts with room, the best first, in the lower halves. */
  private long[] candidates(PackedGroup group) {
    long[] candidates = new long[group.hosts.size()];
    int count = 0;
    for (int i = 0; i < candidates.length; i++) {
      int host = group.hosts.host(i);
      if (hosts.hasRoom(group, host)) {
        double cost = hosts.left(group, host) + scarcity.ofHost(host);
        // the bits of a float that is not negative are ordered as the float; equal ones by host
        candidates[count++] = (long) Float.floatToIntBits((float) cost) << Integer.SIZE | host;
      }
    }
    long[] found = Arrays.copyOf(candidates, count);
    Arrays.sort(found);
    return found;
  }

  /** Calls an action with each placed instance and its host; more important ones come first. */
  void forEachPlacement(ObjIntConsumer<Instance> action) {
    int[][] places = new int[order.size()][];
    int[] counts = new int[order.size()];
    for (PackedGroup each : order) {
      places[each.number] = new int[each.size()];
    }
    for (int host = 0; host < hosts.size(); host++) {
      for (int i = 0; i < hosts.residents(host); i++) {
        int group = hosts.resident(host, i).number;
        places[group][counts[group]++] = host;
      }
    }
    for (PackedGroup each : order) {
      for (int i = 0; i < counts[each.number]; i++) {
        action.accept(each.members().get(i), places[each.number][i]);
      }
    }
  }
}
