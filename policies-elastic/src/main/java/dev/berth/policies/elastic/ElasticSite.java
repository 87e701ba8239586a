package dev.berth.policies.elastic;

import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;

/**
 * ElasticSite with its <i>bursts</i> policy: a new cluster for each bag of tasks, one at a time.
 * The cluster is released when the bag expires; no cluster is reused.
 */
final class ElasticSite implements Policy {

  private static final Reason NEW_CLUSTER =
      new Reason.PolicyChoice("new-cluster", "each bag has a cluster of its own");
  private static final Reason ONE_AT_A_TIME =
      new Reason.PolicyChoice("one-at-a-time", "only one cluster exists at a time");

  private static final ClusterSizing.Limits NO_LIMITS =
      new ClusterSizing.Limits(1, Integer.MAX_VALUE);

  private final ElasticSiteConfig config;
  private final BagSizing sizing;
  private final ProvisioningBackoff backoff;

  ElasticSite(ElasticSiteConfig config) {
    this.config = config;
    this.sizing = config.sizing();
    this.backoff = config.backoff();
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Optional<Pool> pool = backoff.pool(pass);
    if (pool.isEmpty()) {
      PoolState.placeSingles(pass, pass.bags());
      return;
    }
    PoolState found = new PoolState(pass, pool.get(), sizing, backoff);
    for (VirtualCluster each : found.clusters()) {
      if (each.isUnused() && (!config.holdUntilExpiry() || each.isExpired(pass.now()))) {
        found.releaseUnused(each);
      }
    }
    PoolState state = found.refreshed();
    List<Bag> waiting = state.waiting();
    if (!waiting.isEmpty()) {
      start(waiting.get(0), state).ifPresent(why -> pass.defer(waiting.get(0), why));
      waiting.stream().skip(1).forEach(each -> pass.defer(each, ONE_AT_A_TIME));
    }
    PoolState after = found.refreshed();
    after.replaceTheMissing();
    after.placeBags();
    after.serveSingles(NO_LIMITS);
  }

  /** Pools and bags remember failures and clusters. */
  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }

  /** Starts a bag, or returns why it cannot start. */
  private static Optional<Reason> start(Bag bag, PoolState state) {
    if (!state.clusters().isEmpty()
        || state.pass().bags().stream().anyMatch(each -> each.cluster().isPresent())) {
      return Optional.of(ONE_AT_A_TIME);
    }
    int hosts = state.hostsFor(bag);
    int start = state.canHave(hosts);
    if (start == 0) {
      return Optional.of(state.lackOfRoom(hosts));
    }
    if (!state.mayRequest()) {
      return Optional.of(PoolState.POOL_FAILS);
    }
    state.run(bag, bag.id() + "@" + state.pass().number(), start, start, NEW_CLUSTER);
    return Optional.empty();
  }
}
