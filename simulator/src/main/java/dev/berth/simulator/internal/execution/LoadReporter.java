package dev.berth.simulator.internal.execution;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.SimulationSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Reports the load of time-shared hosts. A host reports at regular intervals with a phase of its
 * own: from the first running instance until it has reported a load of zero.
 */
final class LoadReporter {

  private final EventQueue queue;
  private final FleetLink link;
  private final long interval; // 0: never
  private final long seed;
  private final Map<String, LoadMeter> meters = new HashMap<>(); // by id of a host that reports
  private final Map<String, EventQueue.Event> nextReports = new HashMap<>(); // by the same id

  LoadReporter(EventQueue queue, FleetLink link, SimulationSettings settings) {
    this.queue = queue;
    this.link = link;
    this.interval = settings.loadReportInterval();
    this.seed = settings.seed();
  }

  /** Notes that instances on a host may have changed. */
  void hostChanged(Host host, long now) {
    if (interval == 0 || !host.timeShared()) {
      return;
    }
    int running = 0;
    for (Instance each : host.instances()) {
      running += each.state() == InstanceState.RUNNING ? 1 : 0;
    }
    LoadMeter meter = meters.get(host.id());
    if (meter == null && running > 0) {
      meter = new LoadMeter();
      meters.put(host.id(), meter);
      expect(host.id(), now);
    }
    if (meter != null) {
      meter.setRunning(running, now);
    }
  }

  /** Stops the reports of a host. If it recovers, it starts anew. */
  void forget(String host) {
    meters.remove(host);
    queue.cancel(nextReports.remove(host));
  }

  private void expect(String host, long now) {
    long phase =
        Long.remainderUnsigned(SeededTieBreaker.hash(seed, 0, host, "load report"), interval);
    long at = EventQueue.later(now, interval - Math.floorMod(now - phase, interval));
    nextReports.put(host, queue.add(at, Kind.REPORT, () -> report(host, at)));
  }

  private void report(String host, long now) {
    LoadMeter meter = Objects.requireNonNull(meters.get(host), host);
    double average = meter.average(now);
    link.loadReported(host, average, now);
    if (average == 0 && meter.running() == 0) {
      meters.remove(host);
      nextReports.remove(host);
    } else {
      expect(host, now);
    }
  }
}
