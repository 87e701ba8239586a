package dev.berth.simulator.internal.fleet;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A host of an unreliable fleet that is up, as it is in truth. */
final class TrueHost implements Host {

  /** Tells a host that returned from the one that left. */
  final long incarnation;

  private final Map<String, TrueInstance> residents = new LinkedHashMap<>(); // by id
  private HostSpec spec;
  private Resources foreign = Resources.none();
  private long version;

  TrueHost(HostSpec spec, long incarnation) {
    this.spec = spec;
    this.incarnation = incarnation;
  }

  HostSpec spec() {
    return spec;
  }

  void becomes(HostSpec other) {
    spec = other;
    version++;
  }

  void foreign(Resources amounts) {
    foreign = amounts;
    version++;
  }

  void enters(TrueInstance instance) {
    residents.put(instance.id(), instance);
    version++;
  }

  void leaves(TrueInstance instance) {
    residents.remove(instance.id());
    version++;
  }

  /** Returns its instances, in the order in which they came. A copy. */
  List<TrueInstance> residents() {
    return List.copyOf(residents.values());
  }

  boolean isEmpty() {
    return residents.isEmpty();
  }

  /**
   * Returns whether there is room for an instance that starts here, or goes on here with another
   * grant. What it holds here already counts as free, and what it gives back is no matter.
   */
  boolean hasRoomFor(TrueInstance instance, Resources grant) {
    for (Dimension each : grant.dimensions()) {
      long held = instance.isOn(id()) ? held(instance, each) : 0;
      long wanted = counts(each) ? grant.amount(each) : 0;
      if (wanted > held && wanted > left(each) + held) {
        return false;
      }
    }
    return true;
  }

  /** Returns what is left of the capacity; negative if more is held. */
  private long left(Dimension dimension) {
    long left = spec.capacity().amount(dimension);
    left -= counts(dimension) ? foreign.amount(dimension) : 0;
    for (TrueInstance each : residents.values()) {
      left -= held(each, dimension);
    }
    return left;
  }

  private long held(TrueInstance instance, Dimension dimension) {
    boolean holds =
        instance.state() != InstanceState.SUSPENDED
            && counts(dimension)
            && (instance.state() != InstanceState.PAUSED || !dimension.equals(Dimension.CPU));
    return holds ? instance.granted().amount(dimension) : 0;
  }

  private boolean counts(Dimension dimension) {
    return !spec.timeShared() || !dimension.equals(Dimension.CPU);
  }

  @Override
  public String id() {
    return spec.id();
  }

  @Override
  public Resources capacity() {
    return spec.capacity();
  }

  @Override
  public Resources free() {
    TreeSet<Dimension> all = new TreeSet<>(spec.capacity().dimensions());
    Resources.Builder free = Resources.builder();
    all.forEach(each -> free.put(each, free(each)));
    return free.build();
  }

  @Override
  public long free(Dimension dimension) {
    return Math.max(0, left(dimension));
  }

  @Override
  public Resources foreign() {
    return foreign;
  }

  @Override
  public Map<String, String> attributes() {
    return spec.attributes();
  }

  @Override
  public List<Taint> taints() {
    return spec.taints();
  }

  @Override
  public boolean timeShared() {
    return spec.timeShared();
  }

  @Override
  public Collection<Instance> instances() {
    return List.copyOf(residents.values());
  }

  @Override
  public long version() {
    return version;
  }
}
