package dev.berth.policies.elastic;

import dev.berth.api.Host;
import dev.berth.api.Pool;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The hosts of a pool that belong to one cluster, and the bags that run there. */
final class VirtualCluster {

  private final String name;
  private final List<Host> up = new ArrayList<>();
  private final List<Host> starting = new ArrayList<>();
  private final List<Bag> bags = new ArrayList<>();

  private VirtualCluster(String name) {
    this.name = name;
  }

  /**
   * Returns the clusters that have hosts or bags, by name, the oldest first.
   *
   * @param pool the pool whose hosts count
   */
  static Map<String, VirtualCluster> all(SchedulingPass pass, Pool pool) {
    Map<String, VirtualCluster> clusters = new LinkedHashMap<>();
    for (Host each : pool.up()) {
      each.cluster().ifPresent(name -> of(name, clusters).up.add(each));
    }
    for (Host each : pool.starting()) {
      each.cluster().ifPresent(name -> of(name, clusters).starting.add(each));
    }
    for (Bag each : pass.bags()) {
      each.cluster().ifPresent(name -> of(name, clusters).bags.add(each));
    }
    return clusters;
  }

  private static VirtualCluster of(String name, Map<String, VirtualCluster> clusters) {
    return clusters.computeIfAbsent(name, VirtualCluster::new);
  }

  String name() {
    return name;
  }

  /** Returns the number of hosts that take instances, or will when they are up. */
  int size() {
    return open().size() + starting.size();
  }

  List<Host> up() {
    return up;
  }

  /** Returns the hosts that are up and take instances. */
  List<Host> open() {
    return up.stream().filter(each -> each.closed().isEmpty()).toList();
  }

  /** Returns the number of hosts that are not up yet. */
  int starting() {
    return starting.size();
  }

  /** Returns all hosts, starting ones first, since they are released first. */
  List<Host> hosts() {
    List<Host> all = new ArrayList<>(starting);
    all.addAll(up);
    return all;
  }

  List<Bag> bags() {
    return bags;
  }

  boolean isUnused() {
    return bags.isEmpty();
  }

  /** Returns whether all its hosts have expired. */
  boolean isExpired(long now) {
    return hosts().stream().allMatch(each -> isExpired(each.expiresAt(), now));
  }

  private static boolean isExpired(OptionalLong expiry, long now) {
    return expiry.isPresent() && expiry.getAsLong() <= now;
  }

  Optional<Bag> firstBag() {
    return bags.stream().findFirst();
  }
}
