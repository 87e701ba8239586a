package acme.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which copy is on which host, and a check of it that relies on nothing but the names.
 *
 * @param hosts those that are up, by name
 * @param shards all of them
 * @param hostOf the host of each copy that has one
 */
record Allocation(Map<String, DataHost> hosts, List<Shard> shards, Map<String, String> hostOf) {

  static Allocation of(List<DataHost> hosts, List<Shard> shards, Map<String, String> hostOf) {
    Map<String, DataHost> byName = new HashMap<>();
    hosts.forEach(each -> byName.put(each.name(), each));
    return new Allocation(byName, shards, hostOf);
  }

  /** Returns the copies without a host. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (Shard shard : shards) {
      for (int i = 0; i < Shard.COPIES; i++) {
        if (!hostOf.containsKey(shard.copy(i))) {
          missing.add(shard.copy(i));
        }
      }
    }
    return missing;
  }

  /**
   * Returns each breach of a rule in words: a host that is not up or is overfull, two copies of a
   * shard on one host, or more than one copy in a zone.
   */
  List<String> breaches() {
    List<String> breaches = new ArrayList<>();
    for (Shard shard : shards) {
      Set<String> used = new HashSet<>();
      Set<String> zones = new HashSet<>();
      for (int i = 0; i < Shard.COPIES; i++) {
        String name = hostOf.get(shard.copy(i));
        DataHost host = hosts.get(name);
        if (name != null && host == null) {
          breaches.add("%s is on %s, which is not up".formatted(shard.copy(i), name));
        } else if (host != null) {
          if (!used.add(name)) {
            breaches.add("%s has two copies on %s".formatted(shard.name(), name));
          }
          if (!zones.add(host.zone())) {
            breaches.add("%s has two copies in %s".formatted(shard.name(), host.zone()));
          }
        }
      }
    }
    gigabytes()
        .forEach(
            (name, used) -> {
              DataHost host = hosts.get(name);
              if (host != null && used > host.gigabytes()) {
                breaches.add("%s holds %s GB of %s".formatted(name, used, host.gigabytes()));
              }
            });
    return breaches;
  }

  /** Returns the number of copies in each zone. */
  Map<String, Integer> copiesByZone() {
    Map<String, Integer> copies = new HashMap<>();
    hostOf.values().forEach(host -> copies.merge(hosts.get(host).zone(), 1, Integer::sum));
    return copies;
  }

  /** Returns how full the fullest host is, as a share. */
  double fullest() {
    return shares().stream().mapToDouble(each -> each).max().orElse(0);
  }

  /** Returns how full the least full host is, as a share. */
  double leastFull() {
    return shares().stream().mapToDouble(each -> each).min().orElse(0);
  }

  private List<Double> shares() {
    Map<String, Long> used = gigabytes();
    return hosts.values().stream()
        .map(each -> (double) used.getOrDefault(each.name(), 0L) / each.gigabytes())
        .toList();
  }

  private Map<String, Long> gigabytes() {
    Map<String, Long> used = new HashMap<>();
    for (Shard shard : shards) {
      for (int i = 0; i < Shard.COPIES; i++) {
        String host = hostOf.get(shard.copy(i));
        if (host != null) {
          used.merge(host, (long) shard.gigabytes(), Long::sum);
        }
      }
    }
    return used;
  }
}
