package dev.berth.core.internal.search;

import dev.berth.api.Taint;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the hosts by what rules and preferences can distinguish apart from instances: the
 * attributes that they refer to, and taints. Hosts of one number are alike for them.
 */
final class HostSignatures {

  private record Signature(List<String> values, List<Taint> taints) {}

  private static final String ABSENT = "\0"; // no attribute has this value in practice

  private final ClusterState state;
  private final Map<Signature, Integer> numbers = new HashMap<>(); // only looked up
  private List<String> attributes = List.of();

  HostSignatures(ClusterState state) {
    this.state = state;
  }

  /** Returns whether rules or preferences refer to attributes that the numbers ignore. */
  boolean areOutdated() {
    return state.peers().attributes().size() != attributes.size();
  }

  /** Forgets all numbers, and distinguishes the attributes referred to by now. */
  void clear() {
    attributes = List.copyOf(state.peers().attributes());
    numbers.clear();
  }

  /** Returns the number of a host. */
  int of(HostRecord host) {
    List<String> values = new ArrayList<>(attributes.size());
    for (String each : attributes) {
      String value = host.spec().attributes().get(each);
      values.add(value == null ? ABSENT : value);
    }
    Integer fresh = numbers.size();
    Integer known = numbers.putIfAbsent(new Signature(values, host.spec().taints()), fresh);
    return known == null ? fresh : known;
  }
}
