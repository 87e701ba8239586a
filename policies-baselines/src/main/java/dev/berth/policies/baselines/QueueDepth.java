package dev.berth.policies.baselines;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A common autoscaler. It keeps as many hosts as the running and pending instances need at a target
 * utilisation, and while instances wait, one more than are in use. Limits and cool-downs bound both
 * directions. It uses neither bags nor run-time estimates. Pending instances are placed in order of
 * admission on the first host with room; only idle hosts are released.
 *
 * <p>It remembers when it last requested and when it last released hosts.
 */
final class QueueDepth implements Policy {

  private static final Reason DEPTH =
      new Reason.PolicyChoice("queue-depth", "running and pending instances need more hosts");
  private static final Reason TOO_MANY =
      new Reason.PolicyChoice("too-many-hosts", "running and pending instances need fewer hosts");
  private static final Reason TOO_SMALL =
      new Reason.PolicyChoice("too-small", "it is idle, and no pending instance fits on it");

  private final QueueDepthConfig config;
  private OptionalLong grewAt = OptionalLong.empty();
  private OptionalLong changedAt = OptionalLong.empty();
  private final PolicyMemory memory = new CoolDowns();

  QueueDepth(QueueDepthConfig config) {
    this.config = config;
  }

  @Override
  public void schedule(SchedulingPass pass) {
    new FirstFit(pass).placeAll();
    pool(pass).ifPresent(pool -> scale(pass, pool));
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(memory);
  }

  private Optional<Pool> pool(SchedulingPass pass) {
    return config.pool().isEmpty() ? pass.pools().stream().findFirst() : pass.pool(config.pool());
  }

  private void scale(SchedulingPass pass, Pool pool) {
    int present = pool.up().size() + pool.starting().size();
    int most = Math.min(config.maxHosts(), pool.spec().limit());
    List<Host> idle = pool.up().stream().filter(each -> each.instances().isEmpty()).toList();
    boolean waiting = isAnyWaiting(pass, pool);
    int inUse = pool.up().size() - idle.size();
    int needed = Math.max(hostsNeeded(pass, pool), inUse + (waiting ? 1 : 0));
    int desired = Math.max(config.minHosts(), Math.min(most, needed));
    if (desired > present) {
      grow(pass, pool, Math.min(desired - present, pool.room()));
    }
    if (waiting && !idle.isEmpty()) {
      release(pass, idle, TOO_SMALL);
    } else if (desired < present) {
      List<Host> unused = new ArrayList<>(pool.starting());
      unused.addAll(idle);
      release(pass, unused.subList(0, Math.min(present - desired, unused.size())), TOO_MANY);
    }
  }

  /** Returns how many hosts all instances need at the target utilisation. */
  private int hostsNeeded(SchedulingPass pass, Pool pool) {
    Map<Dimension, Double> needed = new HashMap<>();
    for (Host host : pool.up()) {
      host.instances().forEach(each -> add(each.granted(), needed));
    }
    for (Instance each : pass.instances()) {
      if (each.state() == InstanceState.PENDING && fitsOnEmptyHost(each, pool.spec())) {
        add(each.request().demand(), needed);
      }
    }
    double hosts = 0;
    for (Map.Entry<Dimension, Double> each : needed.entrySet()) {
      long capacity = pool.spec().capacity().amount(each.getKey());
      if (each.getValue() > 0 && capacity > 0) {
        hosts = Math.max(hosts, each.getValue() / capacity);
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(hosts / config.targetUtilisation()));
  }

  /** Returns whether an instance is left pending that an empty host of the pool could take. */
  private static boolean isAnyWaiting(SchedulingPass pass, Pool pool) {
    return pass.pending().stream().anyMatch(each -> fitsOnEmptyHost(each, pool.spec()));
  }

  private static boolean fitsOnEmptyHost(Instance instance, PoolSpec pool) {
    Request request = instance.request();
    return request.demand().dimensions().stream()
            .allMatch(each -> request.demand().amount(each) <= pool.capacity().amount(each))
        && request.constraints().stream().allMatch(each -> each.holdsWith(pool.attributes()));
  }

  private static void add(Resources amounts, Map<Dimension, Double> sums) {
    for (Dimension each : amounts.dimensions()) {
      sums.merge(each, (double) amounts.amount(each), Double::sum);
    }
  }

  private void grow(SchedulingPass pass, Pool pool, int count) {
    if (count > 0
        && isOver(pass, grewAt, config.growCoolDown().toNanos())
        && mayRetry(pass, pool)) {
      pass.provision(pool, count, Optional.empty(), OptionalLong.empty(), DEPTH);
      grewAt = OptionalLong.of(pass.now());
      changedAt = grewAt;
    }
  }

  /** Returns whether no host of the pool failed to start recently; else schedules another pass. */
  private boolean mayRetry(SchedulingPass pass, Pool pool) {
    if (pool.failures() == 0 || pool.lastFailureAt().isEmpty()) {
      return true;
    }
    long again = pool.lastFailureAt().getAsLong() + config.retryAfter().toNanos();
    if (again <= pass.now()) {
      return true;
    }
    pass.wakeAt(again);
    return false;
  }

  private void release(SchedulingPass pass, List<Host> hosts, Reason why) {
    if (hosts.isEmpty() || !isOver(pass, changedAt, config.shrinkCoolDown().toNanos())) {
      return;
    }
    hosts.forEach(each -> pass.release(each, why));
    changedAt = OptionalLong.of(pass.now());
  }

  /** The beginnings of the cool-downs. */
  private final class CoolDowns implements PolicyMemory {

    private static final String GREW_AT = "grewAt";
    private static final String CHANGED_AT = "changedAt";

    @Override
    public Map<String, Object> save() {
      Map<String, Object> saved = new HashMap<>();
      grewAt.ifPresent(at -> saved.put(GREW_AT, at));
      changedAt.ifPresent(at -> saved.put(CHANGED_AT, at));
      return saved;
    }

    @Override
    public void restore(Map<String, Object> saved) {
      grewAt = time(saved, GREW_AT);
      changedAt = time(saved, CHANGED_AT);
    }

    private static OptionalLong time(Map<String, Object> saved, String name) {
      Object at = saved.get(name);
      if (at == null) {
        return OptionalLong.empty();
      }
      if (at instanceof Long nanos) {
        return OptionalLong.of(nanos);
      }
      throw new IllegalArgumentException("%s was %s, must be a whole number.".formatted(name, at));
    }
  }

  /** Returns whether a cool-down is over; if not, requests a pass at its end. */
  private static boolean isOver(SchedulingPass pass, OptionalLong since, long coolDown) {
    if (since.isEmpty()) {
      return true;
    }
    long over = since.getAsLong() + coolDown;
    if (over < since.getAsLong()) {
      return false; // the cool-down ends after the last instant
    }
    if (over > pass.now()) {
      pass.wakeAt(over);
      return false;
    }
    return true;
  }
}
