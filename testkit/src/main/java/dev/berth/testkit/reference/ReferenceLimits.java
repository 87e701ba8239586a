package dev.berth.testkit.reference;

import dev.berth.api.HostSpec;
import dev.berth.api.Limit;
import dev.berth.api.LimitUse;
import dev.berth.core.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Counted limits, with their use added up anew from all instances on hosts each time. */
public final class ReferenceLimits {

  private final ReferenceCluster cluster;
  private final Map<String, Long> amounts = new TreeMap<>(); // by name; not 0

  ReferenceLimits(ReferenceCluster cluster) {
    this.cluster = cluster;
  }

  /** Sets how much there is of a limit. Returns whether that is anything else than before. */
  boolean set(Event.LimitSet event) {
    long before = amount(event.limit());
    if (event.amount() == 0) {
      amounts.remove(event.limit());
    } else {
      amounts.put(event.limit(), event.amount());
    }
    return before != event.amount();
  }

  void become(ReferenceLimits other) {
    amounts.clear();
    amounts.putAll(other.amounts);
  }

  private long amount(String name) {
    return amounts.getOrDefault(name, 0L);
  }

  /** Returns the limits that are set or used, by name. */
  public List<Limit> all() {
    Set<String> names = new TreeSet<>(amounts.keySet());
    for (ReferenceInstance each : cluster.instances()) {
      if (each.hostId().isPresent()) {
        each.request().placement().limits().forEach(use -> names.add(use.limit()));
      }
    }
    return names.stream().map(each -> new Limit(each, amount(each), used(each))).toList();
  }

  private long used(String limit) {
    long used = 0;
    for (HostSpec host : cluster.hosts()) {
      used += usedBy(cluster.residents(host), limit);
    }
    return used;
  }

  /** Returns how much instances on one host use together. */
  private static long usedBy(List<ReferenceInstance> residents, String limit) {
    long sum = 0;
    long greatest = 0;
    for (ReferenceInstance each : residents) {
      for (LimitUse use : each.request().placement().limits()) {
        if (use.limit().equals(limit)) {
          switch (use.kind()) {
            case PER_INSTANCE -> sum += use.amount();
            case PER_HOST -> greatest = Math.max(greatest, use.amount());
          }
        }
      }
    }
    return sum + greatest;
  }

  /** Returns how much of a limit would be used with an instance on a host, and others gone. */
  private long usedWith(
      String limit, ReferenceInstance instance, HostSpec home, List<ReferenceInstance> gone) {
    long used = 0;
    for (HostSpec host : cluster.hosts()) {
      List<ReferenceInstance> residents = new ArrayList<>(cluster.residents(host));
      residents.remove(instance);
      residents.removeAll(gone);
      if (host.equals(home)) {
        residents.add(instance);
      }
      used += usedBy(residents, limit);
    }
    return used;
  }

  private static Stream<String> limitsOf(ReferenceInstance instance) {
    return instance.request().placement().limits().stream().map(LimitUse::limit);
  }

  /**
   * Returns whether limits allow a placement once some instances have left: none that it uses is
   * exceeded then.
   */
  public boolean allow(ReferenceInstance instance, HostSpec host, List<ReferenceInstance> gone) {
    return limitsOf(instance)
        .allMatch(each -> usedWith(each, instance, host, gone) <= amount(each));
  }

  /** Returns whether limits allow a migration: it makes none exceeded, or exceeded by more. */
  public boolean allowMove(ReferenceInstance instance, HostSpec host) {
    return limitsOf(instance)
        .allMatch(
            each ->
                usedWith(each, instance, host, List.of()) <= Math.max(amount(each), used(each)));
  }

  /** Returns whether more is used of some limit than there is. */
  boolean areExceeded() {
    return all().stream().anyMatch(each -> each.free() < 0);
  }
}
