package dev.berth.policies.elastic;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An autoscaler of the usual kind: as many hosts as what runs and what waits needs at a target
 * utilisation, and one more than are in use while somebody waits, within limits and cool-downs. It
 * knows nothing of bags or run times. Whoever waits is placed in order of admission on the first
 * host with room; only idle hosts are given back.
 *
 * <p>It remembers when it last asked for hosts and gave some back.
 */
final class QueueDepth implements Policy {

  private static final Reason DEPTH =
      new Reason.PolicyChoice("queue-depth", "what runs and waits needs more hosts");
  private static final Reason TOO_MANY =
      new Reason.PolicyChoice("too-many-hosts", "what runs and waits needs fewer hosts");

  private static final Reason TOO_SMALL =
      new Reason.PolicyChoice("too-small", "it is idle, and none of those who wait fits on it");

  private final QueueDepthConfig config;
  private final ProvisioningBackoff asking;
  private OptionalLong grewAt = OptionalLong.empty();
  private OptionalLong changedAt = OptionalLong.empty();

  QueueDepth(QueueDepthConfig config) {
    this.config = config;
    this.asking = new ProvisioningBackoff(config.pool(), config.retryAfter());
  }

  @Override
  public void schedule(SchedulingPass pass) {
    new BagPlacer(pass, pass.hosts()).place(pass.pending(), Integer.MAX_VALUE);
    asking.pool(pass).ifPresent(pool -> scale(pass, pool));
  }

  private void scale(SchedulingPass pass, Pool pool) {
    int present = pool.up().size() + pool.starting().size();
    int most = Math.min(config.maxHosts(), pool.spec().limit());
    List<Host> idle = pool.up().stream().filter(each -> each.instances().isEmpty()).toList();
    boolean waits = waits(pass, pool);
    int inUse = pool.up().size() - idle.size();
    int needed = Math.max(hostsNeeded(pass, pool), inUse + (waits ? 1 : 0));
    int desired = Math.max(config.minHosts(), Math.min(most, needed));
    if (desired > present) {
      grow(pass, pool, Math.min(desired - present, pool.room()));
    }
    if (waits && !idle.isEmpty()) {
      giveBack(pass, idle, TOO_SMALL);
    } else if (desired < present) {
      List<Host> unused = new ArrayList<>(pool.starting());
      unused.addAll(idle);
      giveBack(pass, unused.subList(0, Math.min(present - desired, unused.size())), TOO_MANY);
    }
  }

  /** Returns how many hosts what runs there and what waits needs at the target utilisation. */
  private int hostsNeeded(SchedulingPass pass, Pool pool) {
    Map<Dimension, Double> needed = new HashMap<>();
    for (Host host : pool.up()) {
      host.instances().forEach(each -> add(each.granted(), needed));
    }
    for (Instance each : pass.instances()) {
      if (each.state() == InstanceState.PENDING && Slots.takes(each, pool.spec())) {
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

  /** Returns whether somebody waits whom no host has room for, but one would as it is offered. */
  private static boolean waits(SchedulingPass pass, Pool pool) {
    return pass.pending().stream().anyMatch(each -> Slots.takes(each, pool.spec()));
  }

  private static void add(Resources amounts, Map<Dimension, Double> sums) {
    for (Dimension each : amounts.dimensions()) {
      sums.merge(each, (double) amounts.amount(each), Double::sum);
    }
  }

  private void grow(SchedulingPass pass, Pool pool, int count) {
    if (count > 0
        && isOver(pass, grewAt, config.growCoolDown().toNanos())
        && asking.mayAsk(pass, pool)) {
      pass.provision(pool, count, Optional.empty(), OptionalLong.empty(), DEPTH);
      grewAt = OptionalLong.of(pass.now());
      changedAt = grewAt;
    }
  }

  private void giveBack(SchedulingPass pass, List<Host> hosts, Reason why) {
    if (hosts.isEmpty() || !isOver(pass, changedAt, config.shrinkCoolDown().toNanos())) {
      return;
    }
    hosts.forEach(each -> pass.release(each, why));
    changedAt = OptionalLong.of(pass.now());
  }

  /** Returns whether a cool-down is over; if not, the pass is asked to come again when it is. */
  private static boolean isOver(SchedulingPass pass, OptionalLong since, long coolDown) {
    if (since.isEmpty()) {
      return true;
    }
    long over = since.getAsLong() + coolDown;
    if (over < since.getAsLong()) {
      return false; // beyond all time
    }
    if (over > pass.now()) {
      pass.wakeAt(over);
      return false;
    }
    return true;
  }
}
