package dev.berth.simulator;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.plan.Action;
import dev.berth.core.config.Durations;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.internal.Chance;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.SimulationSettings;
import dev.berth.simulator.internal.execution.FleetLink;
import dev.berth.simulator.result.PoolUsage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Starts and stops the pool hosts that plans provision and release, as the {@link Provider} lets
 * them, and accounts for their use.
 */
final class Provisioner {

  private static final Duration FOREVER = Duration.ofNanos(EventQueue.NEVER);

  private final EventQueue queue;
  private final FleetLink link;
  private final Provider provider;
  private final Chance chance;
  private final boolean hasPools;
  private final Consumer<String> failHost;
  private final Listeners listeners;
  private final Map<String, EventQueue.Event> expected = new HashMap<>(); // next, by host id
  private final Map<String, Integer> hostsOf = new HashMap<>(); // in any state, by pool

  private FleetSample latest = new FleetSample(0, 0, 0, 0, 0);
  private long requested;
  private long failed;
  private long released;
  private long died;
  private int peak;
  private double hostNanos;
  private double busyNanos;

  /**
   * Creates a provisioner without hosts.
   *
   * @param failHost fails a host that is up, by its id: removes it from the scheduler
   * @param listeners hear of hosts that start and stop
   */
  Provisioner(
      EventQueue queue,
      FleetLink link,
      SimulationSettings settings,
      Consumer<String> failHost,
      Listeners listeners) {
    this.queue = queue;
    this.link = link;
    this.provider = settings.provider();
    this.chance = new Chance(settings.seed());
    this.hasPools = !settings.infrastructure().pools().isEmpty();
    this.failHost = failHost;
    this.listeners = listeners;
  }

  /** Returns whether there is no pool host, in any state. */
  boolean isEmpty() {
    return latest.all() == 0;
  }

  // ---- Actions

  void provision(Action.Provision action, long now) {
    PoolSpec pool = pool(action.pool()).spec();
    for (String each : action.hosts()) {
      requested++;
      int others = hostsOf.merge(pool.name(), 1, Integer::sum) - 1;
      boolean tooMany = provider.most().isPresent() && others >= provider.most().getAsInt();
      if (tooMany || happens(provider.refused(), each, "refused")) {
        expect(each, now, Kind.HOST_FAILURE, () -> failToStart(each, pool.name(), now));
        continue;
      }
      long up = EventQueue.later(now, draw(provider.starts(), each, "start", pool.startDelay()));
      if (happens(provider.failing(), each, "fails")) {
        expect(each, up, Kind.HOST_FAILURE, () -> failToStart(each, pool.name(), up));
      } else {
        expect(each, up, Kind.HOST_RECOVERY, () -> start(each, pool, up));
      }
    }
  }

  /**
   * Stops a host when all instances that migrate away have left.
   *
   * @param leftAt the time when they have left
   * @return whether the host dies at once instead
   */
  boolean release(Action.Release action, long leftAt, long now) {
    String host = action.host();
    queue.cancel(expected.remove(host));
    released++;
    boolean dies = leftAt > now && happens(provider.dyingWhileDraining(), host, "dies draining");
    PoolSpec pool = pool(action.pool()).spec();
    long stopped =
        dies
            ? now
            : EventQueue.later(
                Math.max(leftAt, now), draw(provider.stops(), host, "stop", pool.stopDelay()));
    expect(host, stopped, Kind.HOST_FAILURE, () -> remove(host, pool.name(), stopped));
    return dies;
  }

  private void expect(String host, long time, Kind kind, Runnable effect) {
    expected.put(
        host,
        queue.add(
            time,
            kind,
            () -> {
              expected.remove(host);
              effect.run();
            }));
  }

  private void start(String host, PoolSpec pool, long now) {
    HostSpec spec = pool.host(host);
    link.hostUp(spec, now);
    listeners.each(listener -> listener.hostUp(spec, now));
    long death = EventQueue.later(now, draw(provider.lives(), host, "life", FOREVER));
    if (death != EventQueue.NEVER) {
      expect(host, death, Kind.HOST_FAILURE, () -> die(host, pool.name()));
    }
  }

  private void die(String host, String pool) {
    died++;
    hostsOf.merge(pool, -1, Integer::sum);
    failHost.accept(host);
  }

  private void failToStart(String host, String pool, long now) {
    failed++;
    remove(host, pool, now);
  }

  private void remove(String host, String pool, long now) {
    hostsOf.merge(pool, -1, Integer::sum);
    link.hostGone(host, now);
    listeners.each(listener -> listener.hostDown(host, now));
  }

  private boolean happens(double share, String host, String what) {
    return chance.happens(share, 0, host, what);
  }

  private long draw(List<Duration> among, String host, String what, Duration usual) {
    return Durations.toNanosSaturated(among.isEmpty() ? usual : chance.oneOf(among, host, what));
  }

  private Pool pool(String name) {
    return link.scheduler().pools().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("pool %s is gone.".formatted(name)));
  }

  // ---- Account

  /** Accounts for the time up to {@code now}, then samples the hosts that there are from now on. */
  void sample(long now) {
    if (!hasPools) {
      return;
    }
    accountUntil(now);
    int starting = 0;
    int idle = 0;
    int busy = 0;
    int stopping = 0;
    for (Pool pool : link.scheduler().pools()) {
      starting += pool.starting().size();
      stopping += pool.stopping();
      for (Host each : pool.up()) {
        if (each.instances().isEmpty()) {
          idle++;
        } else {
          busy++;
        }
      }
    }
    FleetSample sample = new FleetSample(now, starting, idle, busy, stopping);
    peak = Math.max(peak, sample.all());
    if (!sample.equals(latestAt(now))) {
      listeners.each(listener -> listener.fleetChanged(sample));
    }
    latest = sample;
  }

  private FleetSample latestAt(long now) {
    return new FleetSample(now, latest.starting(), latest.idle(), latest.busy(), latest.stopping());
  }

  private void accountUntil(long now) {
    double nanos = (double) now - latest.at();
    hostNanos += nanos * latest.all();
    busyNanos += nanos * latest.busy();
  }

  /** Returns the use of the pools up to {@code now}. */
  PoolUsage usage(long now) {
    accountUntil(now);
    latest = latestAt(now);
    return new PoolUsage(requested, failed, released, died, peak, hostNanos, busyNanos);
  }
}
