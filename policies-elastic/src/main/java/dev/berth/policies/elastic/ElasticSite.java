package dev.berth.policies.elastic;

import dev.berth.api.Bag;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;

/**
 * ElasticSite with its <i>bursts</i> policy: a fresh cluster for each bag of tasks, one at a time,
 * given back when the time of the bag has run out; nothing is used again.
 */
final class ElasticSite implements Policy {

  private static final Reason NEW_CLUSTER =
      new Reason.PolicyChoice("new-cluster", "each bag has a cluster of its own");
  private static final Reason ONE_AT_A_TIME =
      new Reason.PolicyChoice("one-at-a-time", "there is one cluster at a time");

  private static final ClusterSizing.Limits NO_LIMITS =
      new ClusterSizing.Limits(1, Integer.MAX_VALUE);

  private final ElasticSiteConfig config;
  private final BagSizing worth;
  private final ProvisioningBackoff asking;

  ElasticSite(ElasticSiteConfig config) {
    this.config = config;
    this.worth = config.worth();
    this.asking = config.asking();
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Optional<Pool> pool = asking.pool(pass);
    if (pool.isEmpty()) {
      PoolState.placeSingles(pass, pass.bags());
      return;
    }
    PoolState found = new PoolState(pass, pool.get(), worth, asking);
    for (VirtualCluster each : found.clusters()) {
      if (each.isUnused() && (!config.holdUntilExpiry() || each.isExpired(pass.now()))) {
        found.releaseUnused(each);
      }
    }
    PoolState estate = found.anew();
    List<Bag> waiting = estate.waiting();
    if (!waiting.isEmpty()) {
      start(waiting.get(0), estate).ifPresent(why -> pass.defer(waiting.get(0), why));
      waiting.stream().skip(1).forEach(each -> pass.defer(each, ONE_AT_A_TIME));
    }
    PoolState after = found.anew();
    after.replaceTheMissing();
    after.placeBags();
    after.serveSingles(NO_LIMITS);
  }

  /** Lets a bag run, or returns why not. */
  private static Optional<Reason> start(Bag bag, PoolState estate) {
    if (!estate.clusters().isEmpty()
        || estate.pass().bags().stream().anyMatch(each -> each.cluster().isPresent())) {
      return Optional.of(ONE_AT_A_TIME);
    }
    int hosts = estate.hostsFor(bag);
    int start = estate.canHave(hosts);
    if (start == 0) {
      return Optional.of(estate.lackOfRoom(hosts));
    }
    if (!estate.mayAsk()) {
      return Optional.of(PoolState.POOL_FAILS);
    }
    estate.run(bag, bag.id() + "@" + estate.pass().number(), start, start, NEW_CLUSTER);
    return Optional.empty();
  }
}
