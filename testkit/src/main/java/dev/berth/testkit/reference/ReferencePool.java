package dev.berth.testkit.reference;

import dev.berth.api.PoolSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A pool: what its provider offers, and which hosts there are of it. */
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

  /** Returns what the provider offers just now. */
  public PoolSpec spec() {
    return spec;
  }

  /** Returns the ids of the hosts that were asked for and are not up, in the order of asking. */
  public List<String> starting() {
    return List.copyOf(starting);
  }

  /** Returns the ids of the hosts that are up, in the order in which they joined. */
  public List<String> up() {
    return List.copyOf(up);
  }

  /** Returns the ids of the hosts that were given back and are not gone. */
  public List<String> stopping() {
    return List.copyOf(stopping);
  }

  /** Returns how many hosts there are, those that start, are up or stop. */
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
