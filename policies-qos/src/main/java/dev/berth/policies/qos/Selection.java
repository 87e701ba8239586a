package dev.berth.policies.qos;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which instances are kept at their objectives while these ask for more than there is. Instances
 * are kept in order of importance, then of admission, while Σ σ · demand is at most (1 − ε) ·
 * capacity in every dimension. So an instance is shed only when a more important one comes or
 * capacity is lost, and the first shed is the first to be kept again.
 */
final class Selection implements PolicyMemory {

  private static final String GUESTS = "guests";

  private static final Comparator<Instance> ORDER =
      Comparator.<Instance>comparingInt(each -> each.serviceClass().importance())
          .thenComparingLong(Instance::admittedAt)
          .thenComparing(Instance::id);

  private final double usable; // share of the capacity
  private final Set<String> shed = new HashSet<>();
  private final Set<String> guests = new HashSet<>();

  Selection(double restartShare) {
    this.usable = 1 - restartShare;
  }

  /** Selects anew. */
  void select(SchedulingPass pass) {
    Map<String, Room> room = new HashMap<>(); // by name of the dimension
    for (Host host : pass.hosts()) {
      for (Dimension each : host.capacity().dimensions()) {
        room.computeIfAbsent(each.name(), name -> new Room()).left +=
            usable * (double) usable(host, each);
      }
    }
    List<Instance> instances = new ArrayList<>(pass.instances());
    instances.sort(ORDER);
    shed.clear();
    for (Instance each : instances) {
      if (!keep(each, room)) {
        shed.add(each.id());
      }
    }
    Set<String> earlier = Set.copyOf(guests);
    guests.clear();
    for (Instance each : instances) {
      // An instance on a host remains what it was when it was placed, since its key may not change.
      boolean decided = each.state() != InstanceState.PENDING;
      if ((decided ? earlier : shed).contains(each.id())) {
        guests.add(each.id());
      }
    }
  }

  /** Returns what instances can use: on a closed host only what those on it hold. */
  private static long usable(Host host, Dimension dimension) {
    long capacity = host.capacity().amount(dimension) - host.foreign().amount(dimension);
    return Math.max(0, host.closed().isEmpty() ? capacity : capacity - host.free(dimension));
  }

  private static final class Room {
    double left;
  }

  private static boolean keep(Instance instance, Map<String, Room> room) {
    double share = instance.serviceClass().slo().share();
    Resources demand = instance.request().demand();
    for (Dimension each : demand.dimensions()) {
      Room of = room.get(each.name());
      if (of == null || share * (double) demand.amount(each) > of.left) {
        return false;
      }
    }
    for (Dimension each : demand.dimensions()) {
      Room of = room.get(each.name());
      if (of != null) {
        of.left -= share * (double) demand.amount(each);
      }
    }
    return true;
  }

  /**
   * Saves the guests: what an instance on a host is depends on the time of its placement. Each pass
   * selects those that are shed anew.
   */
  @Override
  public Map<String, Object> save() {
    return guests.isEmpty() ? Map.of() : Map.of(GUESTS, guests.stream().sorted().toList());
  }

  @Override
  public void restore(Map<String, Object> saved) {
    if (!(saved.getOrDefault(GUESTS, List.of()) instanceof List<?> ids)) {
      throw new IllegalArgumentException(
          "guests was %s, must be a list of ids.".formatted(saved.get(GUESTS)));
    }
    guests.clear();
    ids.forEach(each -> guests.add(each.toString()));
  }

  /** Returns whether an instance is not kept. */
  boolean sheds(Instance instance) {
    return shed.contains(instance.id());
  }

  /** Returns whether an instance on a host was not kept when it was placed. */
  boolean isGuest(Instance instance) {
    return guests.contains(instance.id());
  }
}
