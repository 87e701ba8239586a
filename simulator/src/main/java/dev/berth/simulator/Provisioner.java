package dev.berth.simulator;

import dev.berth.api.Action;
import dev.berth.api.Host;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.core.Scheduler;
import dev.berth.simulator.EventQueue.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The providers at work: starts and stops the hosts that plans ask for and give back, as the {@link
 * Provider} lets them, and keeps account of what that costs.
 */
final class Provisioner {

  private final EventQueue queue;
  private final Scheduler scheduler;
  private final Provider provider;
  private final long seed;
  private final boolean hasPools;
  private final Consumer<String> hostDies;
  private final @Nullable Consumer<? super FleetSample> samples;
  private final Map<String, EventQueue.Event> expected = new HashMap<>(); // by id of the host
  private final Map<String, Integer> there = new HashMap<>(); // by pool, in any state

  private FleetSample latest = new FleetSample(0, 0, 0, 0, 0);
  private long asked;
  private long failed;
  private long released;
  private long died;
  private int most;
  private double hostNanos;
  private double busyNanos;

  /**
   * Makes one, without hosts.
   *
   * @param hostDies is told of a host that dies while it is up; takes it out of the scheduler
   */
  Provisioner(
      EventQueue queue,
      Scheduler scheduler,
      Simulation.Builder settings,
      Infrastructure infrastructure,
      Consumer<String> hostDies) {
    this.queue = queue;
    this.scheduler = scheduler;
    this.provider = settings.provider;
    this.seed = settings.seed;
    this.hasPools = !infrastructure.pools().isEmpty();
    this.hostDies = hostDies;
    this.samples = settings.samples;
  }

  /** Returns whether no host of a pool is there, in whatever state. */
  boolean isEmpty() {
    return latest.all() == 0;
  }

  // ---- Actions

  void provision(Action.Provision action, long now) {
    PoolSpec pool = pool(action.pool()).spec();
    for (String each : action.hosts()) {
      asked++;
      int already = there.merge(pool.name(), 1, Integer::sum) - 1;
      boolean tooMany = provider.most().isPresent() && already >= provider.most().getAsInt();
      if (tooMany || provider.refuses(seed, each)) {
        at(each, now, Kind.HOST_FAILURE, () -> doesNotComeUp(each, pool.name(), now));
        continue;
      }
      long up = ExecutionEngine.later(now, provider.startOf(seed, each, pool.startDelay()));
      if (provider.fails(seed, each)) {
        at(each, up, Kind.HOST_FAILURE, () -> doesNotComeUp(each, pool.name(), up));
      } else {
        at(each, up, Kind.HOST_RECOVERY, () -> comesUp(each, pool, up));
      }
    }
  }

  /**
   * Stops a host when whoever was moved off it has left.
   *
   * @param leftAt when that is
   * @return whether it dies at once instead
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
    long gone =
        dies
            ? now
            : ExecutionEngine.later(
                Math.max(leftAt, now), provider.stopOf(seed, host, pool.stopDelay()));
    at(host, gone, Kind.HOST_FAILURE, () -> isGone(host, pool.name(), gone));
    return dies;
  }

  private void at(String host, long time, Kind kind, Runnable effect) {
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

  private void comesUp(String host, PoolSpec pool, long now) {
    scheduler.addHost(pool.host(host), now);
    long dies = ExecutionEngine.later(now, provider.lifeOf(seed, host));
    if (dies != EventQueue.NEVER) {
      at(host, dies, Kind.HOST_FAILURE, () -> dies(host, pool.name()));
    }
  }

  private void dies(String host, String pool) {
    died++;
    there.merge(pool, -1, Integer::sum);
    hostDies.accept(host);
  }

  private void doesNotComeUp(String host, String pool, long now) {
    failed++;
    there.merge(pool, -1, Integer::sum);
    scheduler.removeHost(host, now);
  }

  private void isGone(String host, String pool, long now) {
    there.merge(pool, -1, Integer::sum);
    scheduler.removeHost(host, now);
  }

  private Pool pool(String name) {
    return scheduler.pools().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("pool %s is gone.".formatted(name)));
  }

  // ---- Account

  /** Takes account of the time until now, then of what there is from now on. */
  void sample(long now) {
    if (!hasPools) {
      return;
    }
    settle(now);
    int starting = 0;
    int idle = 0;
    int busy = 0;
    int given = 0;
    for (Pool pool : scheduler.pools()) {
      starting += pool.starting().size();
      given += pool.stopping();
      for (Host each : pool.up()) {
        if (each.instances().isEmpty()) {
          idle++;
        } else {
          busy++;
        }
      }
    }
    FleetSample sample = new FleetSample(now, starting, idle, busy, given);
    most = Math.max(most, sample.all());
    if (samples != null && !sample.countsAs(latest)) {
      samples.accept(sample);
    }
    latest = sample;
  }

  private void settle(long now) {
    double nanos = (double) now - latest.at();
    hostNanos += nanos * latest.all();
    busyNanos += nanos * latest.busy();
  }

  /** Returns what was used until now. */
  PoolUsage use(long now) {
    settle(now);
    latest =
        new FleetSample(now, latest.starting(), latest.idle(), latest.busy(), latest.stopping());
    return new PoolUsage(asked, failed, released, died, most, hostNanos, busyNanos);
  }
}
