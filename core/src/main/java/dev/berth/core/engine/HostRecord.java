package dev.berth.core.engine;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A host of the cluster: its description, its slot in the {@link HostTable}, and who is on it. */
final class HostRecord implements Host {

  final HostSpec spec;
  final long tieHash;
  final long joined; // sequence number: hosts are listed in this order
  final int slot;

  /** Who holds capacity here; order means nothing, an instance knows its place. */
  final List<InstanceRecord> residents = new ArrayList<>();

  /**
   * Victims by group in victim order, if the policy is a pipeline that preempts; see {@link
   * Pipeline}.
   */
  VictimList @Nullable [] victims;

  private final HostTable table;

  HostRecord(HostSpec spec, HostTable table, long[] capacity, long tieHash, long joined) {
    this.spec = spec;
    this.table = table;
    this.tieHash = tieHash;
    this.joined = joined;
    this.slot = table.add(this, capacity);
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
    Resources.Builder free = Resources.builder();
    for (Dimension each : spec.capacity().dimensions()) {
      free.put(each, free(each));
    }
    return free.build();
  }

  @Override
  public long free(Dimension dimension) {
    int number = table.numberOf(dimension);
    return number < 0 || table.host(slot) != this || !table.dimension(number).equals(dimension)
        ? 0
        : table.free(slot, number);
  }

  @Override
  public Map<String, String> attributes() {
    return spec.attributes();
  }

  @Override
  public Collection<Instance> instances() {
    return residents.stream()
        .sorted(Comparator.comparing(Instance::id))
        .map(Instance.class::cast)
        .toList();
  }

  void admit(InstanceRecord instance) {
    instance.residence = residents.size();
    residents.add(instance);
  }

  void dismiss(InstanceRecord instance) {
    InstanceRecord last = residents.remove(residents.size() - 1);
    if (last != instance) {
      residents.set(instance.residence, last);
      last.residence = instance.residence;
    }
    instance.residence = -1;
  }

  @Override
  public String toString() {
    return "host " + id();
  }
}
