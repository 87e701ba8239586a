package dev.berth.policies.elastic;

import dev.berth.api.Bag;
import dev.berth.api.Policy;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.SchedulingPass;
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
  private final Worth worth;
  private final Asking asking;

  ElasticSite(ElasticSiteConfig config) {
    this.config = config;
    this.worth = config.worth();
    this.asking = config.asking();
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Optional<Pool> pool = asking.pool(pass);
    if (pool.isEmpty()) {
      Estate.placeSingles(pass, pass.bags());
      return;
    }
    Estate found = new Estate(pass, pool.get(), worth, asking);
    for (VirtualCluster each : found.clusters()) {
      if (each.isUnused() && (!config.holdUntilExpiry() || each.isExpired(pass.now()))) {
        found.releaseUnused(each);
      }
    }
    Estate estate = found.anew();
    List<Bag> waiting = estate.waiting();
    boolean started = !waiting.isEmpty() && start(waiting.get(0), estate);
    waiting.stream().skip(started ? 1 : 0).forEach(each -> pass.defer(each, ONE_AT_A_TIME));
    Estate after = found.anew();
    after.replaceTheMissing();
    after.placeBags();
    after.serveSingles(NO_LIMITS);
  }

  private static boolean start(Bag bag, Estate estate) {
    int hosts = estate.hostsFor(bag);
    boolean taken =
        !estate.clusters().isEmpty()
            || estate.pass().bags().stream().anyMatch(each -> each.cluster().isPresent());
    int start = taken ? 0 : estate.canHave(hosts);
    if (start == 0 || !estate.mayAsk()) {
      return false;
    }
    estate.run(bag, bag.id() + "@" + estate.pass().number(), start, hosts, NEW_CLUSTER);
    return true;
  }
}
