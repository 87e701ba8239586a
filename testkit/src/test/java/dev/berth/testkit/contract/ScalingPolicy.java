package dev.berth.testkit.contract;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A policy that provisions and releases hosts, and assigns and cancels bags. It cancels bags that
 * waited too long, and provisions a cluster for each other bag if a pool has room. It places
 * requests in order of admission. It provisions a host while a request without a bag waits, and
 * releases idle hosts.
 */
final class ScalingPolicy implements Policy {

  private static final long PATIENCE = Duration.ofMinutes(1).toNanos();
  private static final long TIME_TO_LIVE = Duration.ofMinutes(10).toNanos();

  private static final Reason GIVEN_UP = why("given-up", "no task was placed for long");
  private static final Reason OWN_CLUSTER = why("own-cluster", "gets its own hosts");
  private static final Reason DEMAND = why("demand", "a request waits");
  private static final Reason IDLE = why("idle", "no request needs it");

  private static Reason why(String code, String text) {
    return new Reason.PolicyChoice(code, text);
  }

  @Override
  public void schedule(SchedulingPass pass) {
    for (Bag each : pass.bags()) {
      if (waits(each) && pass.now() - each.submittedAt() >= PATIENCE) {
        pass.cancel(each, GIVEN_UP);
      }
    }
    for (Bag each : pass.bags()) {
      if (each.cluster().isEmpty() && waits(each)) {
        provisionCluster(pass, each);
      }
    }
    for (Instance each : pass.pending()) {
      choose(pass, each).ifPresent(host -> pass.place(each, host));
    }
    for (Pool each : pass.pools()) {
      adjustPool(pass, each);
    }
  }

  private static boolean waits(Bag bag) {
    return bag.instances().stream().allMatch(each -> each.state() == InstanceState.PENDING);
  }

  /** Provisions one host for each instance, as far as the pool has room. */
  private static void provisionCluster(SchedulingPass pass, Bag bag) {
    int wanted = bag.instances().size();
    for (Pool each : pass.pools()) {
      int count = Math.min(wanted, each.room());
      Optional<String> cluster = Optional.of("of-" + bag.id());
      if (count > 0
          && pass.provision(each, count, cluster, bag.expiresAt(), OWN_CLUSTER).accepted()) {
        OptionalLong expiry = OptionalLong.of(pass.now() + TIME_TO_LIVE);
        pass.assign(bag, cluster.get(), expiry, OWN_CLUSTER);
        return;
      }
    }
  }

  private static Optional<Host> choose(SchedulingPass pass, Instance instance) {
    return pass.hosts().stream()
        .filter(host -> pass.obstacle(instance, host, List.of()).isEmpty())
        .max(Comparator.comparingLong(host -> pass.tieBreak(instance, host)));
  }

  /** Keeps one host starting while a request without a bag waits, and releases idle hosts. */
  private static void adjustPool(SchedulingPass pass, Pool pool) {
    boolean demand = pass.pending().stream().anyMatch(each -> each.bag().isEmpty());
    for (Host each : pool.up()) {
      if (each.instances().isEmpty() && !isWanted(pass, each)) {
        pass.release(each, IDLE);
      }
    }
    for (Host each : pool.starting()) {
      if (!demand && !isWanted(pass, each)) {
        pass.release(each, IDLE);
      }
    }
    if (demand && pool.starting().isEmpty() && pool.room() > 0) {
      pass.provision(pool, 1, Optional.empty(), OptionalLong.empty(), DEMAND);
    }
  }

  private static boolean isWanted(SchedulingPass pass, Host host) {
    return host.cluster().isPresent()
        && pass.bags().stream().anyMatch(each -> each.cluster().equals(host.cluster()));
  }

  /** No settings. */
  record NoConfig() {}

  /** Registered as {@code scaling}. */
  static final class Factory implements PolicyFactory<NoConfig> {

    @Override
    public String id() {
      return "scaling";
    }

    @Override
    public String summary() {
      return "provisions and releases hosts, assigns and cancels bags";
    }

    @Override
    public NoConfig defaults() {
      return new NoConfig();
    }

    @Override
    public Policy create(NoConfig config, PolicyContext context) {
      return new ScalingPolicy();
    }
  }
}
