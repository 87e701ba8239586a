package dev.berth.policies.elastic;

import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;

/**
 * ElasticCluster: a bag of tasks runs on the most available cluster if its idle hosts suffice or if
 * it may grow by the missing hosts; otherwise on a new cluster (Algorithm 1). When a bag ends, its
 * share of the hosts is released, except for hosts that waiting bags need (Algorithm 2).
 *
 * <p>The thesis draws the utilisation of a cluster by a bag at random. Here it is the actual one:
 * busy hosts over all hosts and, for a bag that ended, the mean over its life. No bag keeps fewer
 * hosts than it can use within its share.
 */
final class ElasticCluster implements Policy {

  private static final Reason REUSE =
      new Reason.PolicyChoice("reuse", "the idle hosts of the cluster suffice");
  private static final Reason GROWTH =
      new Reason.PolicyChoice("growth", "the cluster grows by the missing hosts");
  private static final Reason NEW_CLUSTER =
      new Reason.PolicyChoice(
          "new-cluster", "no cluster exists, or the most available one may not grow so far");
  private static final Reason BAG_ENDED =
      new Reason.PolicyChoice("bag-ended", "the bag that used it has ended");
  private static final Reason TURN =
      new Reason.PolicyChoice("queued-behind-bag", "an earlier bag waits for hosts");

  private final ElasticClusterConfig config;
  private final BagSizing sizing;
  private final ProvisioningBackoff backoff;

  ElasticCluster(ElasticClusterConfig config) {
    this.config = config;
    this.sizing = config.sizing();
    this.backoff = config.backoff();
  }

  /** Pools and bags remember failures and clusters. */
  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Optional<Pool> pool = backoff.pool(pass);
    if (pool.isEmpty()) {
      PoolState.placeSingles(pass, pass.bags());
      return;
    }
    PoolState state = new PoolState(pass, pool.get(), sizing, backoff);
    state.placeBags(); // first, so that released hosts are idle
    for (BagReport each : pass.endedBags()) {
      state = state.refreshed();
      stop(each, state);
    }
    state = state.refreshed();
    state.replaceTheMissing(); // for bags submitted before the waiting ones
    state = state.refreshed();
    boolean lacksRoom = false;
    boolean anew = !pass.endedBags().isEmpty() || !state.waiting().isEmpty();
    if (!state.waiting().isEmpty()) {
      lacksRoom = start(state);
      state = new PoolState(pass, pool.get(), sizing, backoff);
    }
    releaseUnused(state, lacksRoom);
    state = state.refreshed();
    if (anew) { // otherwise everything that fits is placed
      state.placeBags();
    }
    if (config.trim() && state.waiting().isEmpty()) {
      state.clusters().forEach(state::trim);
    }
    state.serveSingles(config.limits());
  }

  /** Algorithm 2. */
  private void stop(BagReport ended, PoolState state) {
    Optional<VirtualCluster> cluster = ended.cluster().flatMap(state::cluster);
    if (cluster.isEmpty() || cluster.get().size() == 0) {
      return;
    }
    int hosts = cluster.get().size();
    int wanted = state.waiting().stream().mapToInt(state::hostsFor).sum();
    double slots =
        hosts * cluster.get().firstBag().map(each -> (double) state.slots(each)).orElse(1.0);
    int share = ClusterSizing.shrink(hosts, shareOf(ended, slots), wanted);
    state.release(cluster.get(), Math.min(share, hosts - state.leastOf(cluster.get())), BAG_ENDED);
  }

  /** Returns the mean share of the slots that a bag used while it was assigned. */
  private static double shareOf(BagReport ended, double slots) {
    long life = ended.endedAt() - ended.assignedAt().orElse(ended.endedAt());
    return life <= 0 ? 0 : Math.min(1, ended.serviceTime() / slots / life);
  }

  /** Runs Algorithm 1 for each waiting bag, in order. Returns whether one waits for room. */
  private boolean start(PoolState state) {
    List<Bag> waiting = state.waiting();
    PoolState now = state;
    for (int i = 0; i < waiting.size(); i++) {
      now = now.refreshed();
      Optional<Reason> obstacle = start(waiting.get(i), now);
      if (obstacle.isPresent()) {
        state.pass().defer(waiting.get(i), obstacle.get());
        waiting.subList(i + 1, waiting.size()).forEach(each -> state.pass().defer(each, TURN));
        return !obstacle.get().equals(PoolState.POOL_FAILS);
      }
    }
    return false;
  }

  /** Starts a bag, or returns why it cannot start. */
  private Optional<Reason> start(Bag bag, PoolState state) {
    int hosts = state.hostsFor(bag);
    List<ClusterSizing.Cluster> clusters =
        state.clusters().stream()
            .filter(each -> each.size() > 0)
            .map(
                each ->
                    new ClusterSizing.Cluster(each.name(), each.size(), state.utilisation(each)))
            .toList();
    ClusterSizing.Growth growth = ClusterSizing.grow(hosts, clusters, config.limits());
    int start = state.canHave(growth.start());
    if (start == 0 && growth.start() > 0) {
      return Optional.of(state.lackOfRoom(growth.start()));
    }
    if (start > 0 && !state.mayRequest()) {
      return Optional.of(PoolState.POOL_FAILS);
    }
    Reason why = growth.cluster().isEmpty() ? NEW_CLUSTER : start == 0 ? REUSE : GROWTH;
    String cluster = growth.cluster().orElse(bag.id() + "@" + state.pass().number());
    state.run(bag, cluster, start, hosts - growth.start() + start, why);
    return Optional.empty();
  }

  /** Releases the hosts of clusters that no bag uses and no waiting bag can use. */
  private void releaseUnused(PoolState state, boolean lacksRoom) {
    boolean noneWaits = state.waiting().isEmpty();
    for (VirtualCluster each : state.clusters()) {
      boolean expired = each.isExpired(state.pass().now());
      if (each.isUnused() && (lacksRoom || expired || (noneWaits && !config.keepLeftovers()))) {
        state.releaseUnused(each);
      }
    }
  }
}
