package dev.berth.simulator.internal.fleet;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The reports about hosts, as an embedder handles them. Each says what a host is, and has a number,
 * so that an old one that arrives late is recognized. A host that returns is another incarnation:
 * its instances are gone, even if the report of its loss was lost.
 */
final class HostReports {

  /**
   * A report.
   *
   * @param host the host; empty: it is gone
   */
  private record Report(String id, long number, Optional<Up> host) {}

  private record Up(HostSpec spec, Resources foreign, long incarnation) {}

  private final BiConsumer<Instance, Boolean> onLoss;
  private final Map<String, Long> sent = new HashMap<>(); // number of the latest, by id
  private final Map<String, Long> handled = new HashMap<>(); // likewise
  private final Map<String, Long> incarnations = new HashMap<>(); // as believed, by id
  private final Set<String> gone = new LinkedHashSet<>(); // and perhaps not known to be

  /**
   * Creates the handling of reports.
   *
   * @param onLoss called for each instance that loses its host in the eyes of the scheduler, with
   *     whether the report came at the instant of the loss
   */
  HostReports(BiConsumer<Instance, Boolean> onLoss) {
    this.onLoss = onLoss;
  }

  /** Notes a host that the scheduler was given at the start. */
  void given(TrueHost host) {
    incarnations.put(host.id(), host.incarnation);
  }

  /** Returns what to do when a report on a host that is up arrives: true if it is news. */
  Arrival up(TrueHost host) {
    gone.remove(host.id());
    Up up = new Up(host.spec(), host.foreign(), host.incarnation);
    Report report = new Report(host.id(), nextNumber(host.id()), Optional.of(up));
    return (scheduler, now) -> handle(report, scheduler, now, false);
  }

  /** The same for a host that is gone. */
  Arrival gone(String id, long at) {
    gone.add(id);
    Report report = new Report(id, nextNumber(id), Optional.empty());
    return (scheduler, now) -> handle(report, scheduler, now, now == at);
  }

  /** The handling of a report. */
  @FunctionalInterface
  interface Arrival {

    /** Handles the report. Returns false if it is old. */
    boolean at(Scheduler scheduler, long now);
  }

  private long nextNumber(String id) {
    return sent.merge(id, 1L, Long::sum);
  }

  private boolean handle(Report report, Scheduler scheduler, long now, boolean atOnce) {
    if (report.number() <= handled.getOrDefault(report.id(), 0L)) {
      return false;
    }
    handled.put(report.id(), report.number());
    if (report.host().isEmpty()) {
      return remove(report.id(), scheduler, now, atOnce);
    }
    Up up = report.host().get();
    if (!Objects.equals(incarnations.get(report.id()), up.incarnation())) {
      scheduler.host(report.id()).ifPresent(old -> remove(old.id(), scheduler, now, false));
    }
    Optional<Host> known = scheduler.host(report.id());
    if (known.isEmpty()) {
      scheduler.addHost(up.spec(), now);
      incarnations.put(report.id(), up.incarnation());
    } else {
      scheduler.changeHost(up.spec(), now);
    }
    scheduler.foreignLoad(report.id(), up.foreign(), now);
    return true;
  }

  /** Removes a host, up or not, if the scheduler knows of it. */
  private boolean remove(String id, Scheduler scheduler, long now, boolean atOnce) {
    gone.remove(id);
    List<Instance> lost =
        scheduler.host(id).map(each -> List.copyOf(each.instances())).orElse(List.of());
    try {
      scheduler.removeHost(id, now);
    } catch (EventRefusedException unknown) {
      return false;
    }
    lost.forEach(each -> onLoss.accept(each, atOnce));
    return true;
  }

  /** Forgets the reports of a host that a plan released: it is no longer the scheduler's. */
  void released(String id) {
    handled.put(id, nextNumber(id));
  }

  /** Notes that the scheduler has just been reconciled with these hosts, all that are up. */
  void reconciled(Map<String, TrueHost> up) {
    handled.putAll(sent);
    up.values().forEach(this::given);
  }

  /** Removes hosts that no reconciliation finds: those that were to start or to stop. */
  void settle(Scheduler scheduler, long now) {
    for (String each : List.copyOf(gone)) {
      remove(each, scheduler, now, false);
    }
  }
}
