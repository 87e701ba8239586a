package dev.berth.simulator.internal.fleet;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.internal.Chance;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.HostSchedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Changes hosts without a plan, for a time: others take some of their resources, their capacity
 * shrinks, or they vanish without a report.
 */
final class HostDrift {

  private static final double LEAST_SHARE = 0.25;
  private static final double MORE_SHARE = 0.5;

  private final EventQueue queue;
  private final FaultSettings faults;
  private final SplittableRandom random;
  private final Set<String> lasting; // ids of hosts of the infrastructure: only they vanish
  private final UnreliableFleet fleet;
  private final long until;
  private final Map<String, HostSpec> vanished = new HashMap<>(); // by id
  private final Set<String> changed = new HashSet<>(); // ids of hosts
  long count;

  HostDrift(
      EventQueue queue,
      FaultSettings faults,
      Chance chance,
      Set<String> lasting,
      long until,
      UnreliableFleet fleet) {
    this.queue = queue;
    this.faults = faults;
    this.random = chance.stream("drift");
    this.lasting = lasting;
    this.until = until;
    this.fleet = fleet;
  }

  /** Expects the next change, if there are any. */
  void expectNext(long now) {
    long mean = faults.driftEvery().toNanos();
    if (mean == 0) {
      return;
    }
    long at = EventQueue.later(now, Math.max(1, mean / 2 + draw(mean)));
    if (at < until) {
      queue.add(at, Kind.FAULT, () -> happen(at));
    }
  }

  /** Notes that a host has other taints, which no drift changes. */
  void tainted(String host, List<Taint> taints) {
    vanished.computeIfPresent(host, (id, spec) -> HostSchedule.withTaints(spec, taints));
  }

  /** Notes that a host was lost for another reason: it does not return from here. */
  void lost(String host) {
    vanished.remove(host);
    changed.remove(host);
  }

  private long draw(long most) {
    return Long.remainderUnsigned(random.nextLong(), most + 1);
  }

  private void happen(long now) {
    // Always as many draws, so that the times of changes do not depend on the hosts.
    long which = random.nextLong();
    double kind = random.nextDouble();
    double share = LEAST_SHARE + MORE_SHARE * random.nextDouble();
    List<TrueHost> hosts = fleet.hosts();
    if (!hosts.isEmpty()) {
      TrueHost host = hosts.get((int) Long.remainderUnsigned(which, hosts.size()));
      if (!changed.contains(host.id())) {
        change(host, kind, share, now);
      }
    }
    expectNext(now);
  }

  private void change(TrueHost host, double kind, double share, long now) {
    HostSpec spec = host.spec();
    boolean vanishes = kind < faults.vanishing();
    if (vanishes && !lasting.contains(spec.id())) {
      return;
    }
    count++;
    long back = EventQueue.later(now, faults.driftFor().toNanos());
    if (vanishes) {
      fleet.vanish(spec.id());
      vanished.put(spec.id(), spec);
      queue.add(back, Kind.FAULT, () -> comeBack(spec.id(), back));
      return;
    }
    changed.add(spec.id());
    Consumer<TrueHost> undo;
    if (kind < (1 + faults.vanishing()) / 2) {
      host.foreign(shareOf(spec.capacity(), share));
      undo = same -> same.foreign(Resources.none());
    } else {
      host.becomes(
          new HostSpec(
              spec.id(),
              shareOf(spec.capacity(), share),
              spec.attributes(),
              spec.timeShared(),
              spec.taints()));
      undo = same -> same.becomes(HostSchedule.withTaints(spec, same.taints()));
    }
    fleet.changed(host, now);
    queue.add(back, Kind.FAULT, () -> undo(host, undo, back));
  }

  private void undo(TrueHost host, Consumer<TrueHost> undo, long now) {
    if (changed.contains(host.id()) && fleet.hosts().contains(host)) {
      changed.remove(host.id());
      undo.accept(host);
      fleet.changed(host, now);
    }
  }

  private void comeBack(String host, long now) {
    HostSpec spec = vanished.remove(host);
    if (spec != null) {
      fleet.hostUp(spec, now);
    }
  }

  private static Resources shareOf(Resources capacity, double share) {
    Resources.Builder part = Resources.builder();
    for (Dimension each : new ArrayList<>(capacity.dimensions())) {
      part.put(each, (long) (capacity.amount(each) * share));
    }
    return part.build();
  }
}
