package dev.berth.simulator;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.core.Scheduler;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.EventQueue.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What time-shared hosts report of their load: each at its own regular intervals, from when
 * somebody runs there until it has reported a load of zero.
 */
final class LoadReporter {

  private final EventQueue queue;
  private final Scheduler scheduler;
  private final long every; // 0: never
  private final long seed;
  private final Map<String, LoadMeter> meters = new HashMap<>(); // of those that report
  private final Map<String, EventQueue.Event> next = new HashMap<>(); // reports of the same

  LoadReporter(EventQueue queue, Scheduler scheduler, Simulation.Builder settings) {
    this.queue = queue;
    this.scheduler = scheduler;
    this.every = settings.loadReports.toNanos();
    this.seed = settings.seed;
  }

  /** Something may have changed on a host. */
  void look(Host host, long now) {
    if (every == 0 || !host.timeShared()) {
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
      meter.changes(running, now);
    }
  }

  /** A host is gone: it reports nothing, and is another one if it comes back. */
  void forget(String host) {
    meters.remove(host);
    EventQueue.Event voided = next.remove(host);
    if (voided != null) {
      queue.cancel(voided);
    }
  }

  private void expect(String host, long now) {
    long phase = Long.remainderUnsigned(SeededTieBreaker.hash(seed, 0, host, "load report"), every);
    long at = ExecutionEngine.later(now, every - Math.floorMod(now - phase, every));
    next.put(host, queue.add(at, Kind.REPORT, () -> report(host, at)));
  }

  private void report(String host, long now) {
    LoadMeter meter = Objects.requireNonNull(meters.get(host), host);
    double average = meter.average(now);
    scheduler.loadReported(host, average, now);
    if (average == 0 && meter.running() == 0) {
      meters.remove(host);
      next.remove(host);
    } else {
      expect(host, now);
    }
  }
}
