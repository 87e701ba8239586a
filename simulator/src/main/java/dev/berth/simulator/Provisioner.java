package dev.berth.simulator;

import dev.berth.api.Action;
import dev.berth.api.Host;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.simulator.EventQueue.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Starts and stops the pool hosts that plans provision and release, as the {@link Provider} lets
 * them, and accounts for their use.
 */
final class Provisioner {

  private final EventQueue queue;
  private final FleetLink link;
  private final Provider provider;
  private final long seed;
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
   */
  Provisioner(
      EventQueue queue, FleetLink link, SimulationSettings settings, Consumer<String> failHost) {
    this.queue = queue;
    this.link = link;
    this.provider = settings.provider();
    this.seed = settings.seed();
    this.hasPools = !settings.infrastructure().pools().isEmpty();
    this.failHost = failHost;
    this.listeners = settings.listeners();
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
      if (tooMany || provider.refuses(seed, each)) {
        expect(each, now, Kind.HOST_FAILURE, () -> failToStart(each, pool.name(), now));
        continue;
      }
      long up = ExecutionEngine.later(now, provider.startOf(seed, each, pool.startDelay()));
      if (provider.fails(seed, each)) {
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
    EventQueue.Event voided = expected.remove(host);
    if (voided != null) {
      queue.cancel(voided);
    }
    released++;
    boolean dies = leftAt > now && provider.diesDraining(seed, host);
    PoolSpec pool = pool(action.pool()).spec();
    long stopped =
        dies
            ? now
            : ExecutionEngine.later(
                Math.max(leftAt, now), provider.stopOf(seed, host, pool.stopDelay()));
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
    link.hostUp(pool.host(host), now);
    long death = ExecutionEngine.later(now, provider.lifeOf(seed, host));
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
    if (!sample.hasCountsOf(latest)) {
      listeners.fleetChanged(sample);
    }
    latest = sample;
  }

  private void accountUntil(long now) {
    double nanos = (double) now - latest.at();
    hostNanos += nanos * latest.all();
    busyNanos += nanos * latest.busy();
  }

  /** Returns the use of the pools up to {@code now}. */
  PoolUsage usage(long now) {
    accountUntil(now);
    latest =
        new FleetSample(now, latest.starting(), latest.idle(), latest.busy(), latest.stopping());
    return new PoolUsage(requested, failed, released, died, peak, hostNanos, busyNanos);
  }
}
