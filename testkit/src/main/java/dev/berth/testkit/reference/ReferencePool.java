package dev.berth.testkit.reference;

import dev.berth.api.PoolSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A pool: the offer of its provider, and its hosts. */
public final class ReferencePool {

  private PoolSpec spec;
  final Set<String> starting = new LinkedHashSet<>();
  final Set<String> up = new LinkedHashSet<>();
  final Set<String> stopping = new LinkedHashSet<>();

  ReferencePool(PoolSpec spec) {
    this.spec = spec;
  }

  void offer(PoolSpec changed) {
    spec = changed;
  }

  /** Returns its name. */
  public String name() {
    return spec.name();
  }

  /** Returns the current offer of the provider. */
  public PoolSpec spec() {
    return spec;
  }

  /** Returns the ids of requested hosts that are not up, in the order of requests. */
  public List<String> starting() {
    return List.copyOf(starting);
  }

  /** Returns the ids of the hosts that are up, in the order in which they joined. */
  public List<String> up() {
    return List.copyOf(up);
  }

  /** Returns the ids of released hosts that are not gone. */
  public List<String> stopping() {
    return List.copyOf(stopping);
  }

  /** Returns the number of hosts that start, are up or stop. */
  public int size() {
    return starting.size() + up.size() + stopping.size();
  }

  boolean has(String hostId) {
    return all().contains(hostId);
  }

  void remove(String hostId) {
    starting.remove(hostId);
    up.remove(hostId);
    stopping.remove(hostId);
  }

  private List<String> all() {
    List<String> all = new ArrayList<>(starting);
    all.addAll(up);
    all.addAll(stopping);
    return all;
  }

  @Override
  public String toString() {
    return "pool %s: %s start, %s are up, %s stop, of %s"
        .formatted(name(), starting, up, stopping, spec.limit());
  }
}
