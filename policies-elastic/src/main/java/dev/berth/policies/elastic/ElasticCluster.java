package dev.berth.policies.elastic;

import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;

/**
 * ElasticCluster: a bag of tasks runs on the most available cluster if what idles there is enough
 * for it, or if that may grow by what is missing; else on a new cluster (Algorithm 1). When a bag
 * ends, its share of the hosts is given back, as far as no bag waits that wants them (Algorithm 2).
 *
 * <p>Where the thesis draws the utilisation that a bag makes of its cluster at random, here it is
 * the real one: hosts that bags keep busy over hosts there are, and, of a bag that ended, its mean
 * over its life. Nobody is left with fewer hosts than it can use of those it is worth.
 */
final class ElasticCluster implements Policy {

  private static final Reason REUSE =
      new Reason.PolicyChoice("reuse", "what idles in the cluster is enough");
  private static final Reason GROWTH =
      new Reason.PolicyChoice("growth", "the cluster grows by what is missing");
  private static final Reason NEW_CLUSTER =
      new Reason.PolicyChoice(
          "new-cluster", "no cluster, or the most available one may not grow so far");
  private static final Reason BAG_ENDED =
      new Reason.PolicyChoice("bag-ended", "the bag that used it has ended");
  private static final Reason TURN =
      new Reason.PolicyChoice("queued-behind-bag", "a bag that came before it waits for hosts");

  private final ElasticClusterConfig config;
  private final BagSizing worth;
  private final ProvisioningBackoff asking;

  ElasticCluster(ElasticClusterConfig config) {
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
    PoolState estate = new PoolState(pass, pool.get(), worth, asking);
    estate.placeBags(); // first, so that what is given back is idle
    for (BagReport each : pass.endedBags()) {
      estate = estate.anew();
      stop(each, estate);
    }
    estate = estate.anew();
    estate.replaceTheMissing(); // of bags that came before those that wait
    estate = estate.anew();
    boolean lacksRoom = false;
    boolean anew = !pass.endedBags().isEmpty() || !estate.waiting().isEmpty();
    if (!estate.waiting().isEmpty()) {
      lacksRoom = start(estate);
      estate = new PoolState(pass, pool.get(), worth, asking);
    }
    releaseUnused(estate, lacksRoom);
    estate = estate.anew();
    if (anew) { // else all that could be placed is
      estate.placeBags();
    }
    if (config.trim() && estate.waiting().isEmpty()) {
      estate.clusters().forEach(estate::trim);
    }
    estate.serveSingles(config.limits());
  }

  /** Algorithm 2. */
  private void stop(BagReport ended, PoolState estate) {
    Optional<VirtualCluster> cluster = ended.cluster().flatMap(estate::cluster);
    if (cluster.isEmpty() || cluster.get().size() == 0) {
      return;
    }
    int hosts = cluster.get().size();
    int wanted = estate.waiting().stream().mapToInt(estate::hostsFor).sum();
    double slots =
        hosts * cluster.get().firstBag().map(each -> (double) estate.slots(each)).orElse(1.0);
    int share = ClusterSizing.shrink(hosts, shareOf(ended, slots), wanted);
    estate.release(
        cluster.get(), Math.min(share, hosts - estate.leastOf(cluster.get())), BAG_ENDED);
  }

  /** Returns what part of so many slots a bag used on average while it had them. */
  private static double shareOf(BagReport ended, double slots) {
    long life = ended.endedAt() - ended.assignedAt().orElse(ended.endedAt());
    return life <= 0 ? 0 : Math.min(1, ended.serviceTime() / slots / life);
  }

  /** Algorithm 1, for each bag that waits, in order. Returns whether one waits for room. */
  private boolean start(PoolState estate) {
    List<Bag> waiting = estate.waiting();
    PoolState now = estate;
    for (int i = 0; i < waiting.size(); i++) {
      now = now.anew();
      Optional<Reason> obstacle = start(waiting.get(i), now);
      if (obstacle.isPresent()) {
        estate.pass().defer(waiting.get(i), obstacle.get());
        waiting.subList(i + 1, waiting.size()).forEach(each -> estate.pass().defer(each, TURN));
        return !obstacle.get().equals(PoolState.POOL_FAILS);
      }
    }
    return false;
  }

  /** Lets a bag run, or returns why not. */
  private Optional<Reason> start(Bag bag, PoolState estate) {
    int hosts = estate.hostsFor(bag);
    List<ClusterSizing.Cluster> clusters =
        estate.clusters().stream()
            .map(
                each ->
                    new ClusterSizing.Cluster(each.name(), each.size(), estate.utilisation(each)))
            .toList();
    ClusterSizing.Growth growth = ClusterSizing.grow(hosts, clusters, config.limits());
    int start = estate.canHave(growth.start());
    if (start == 0 && growth.start() > 0) {
      return Optional.of(estate.lackOfRoom(growth.start()));
    }
    if (start > 0 && !estate.mayAsk()) {
      return Optional.of(PoolState.POOL_FAILS);
    }
    Reason why = growth.cluster().isEmpty() ? NEW_CLUSTER : start == 0 ? REUSE : GROWTH;
    String cluster = growth.cluster().orElse(bag.id() + "@" + estate.pass().number());
    estate.run(bag, cluster, start, hosts - growth.start() + start, why);
    return Optional.empty();
  }

  /** Gives back the hosts of clusters that no bag uses and none that waits could. */
  private void releaseUnused(PoolState estate, boolean lacksRoom) {
    boolean noneWaits = estate.waiting().isEmpty();
    for (VirtualCluster each : estate.clusters()) {
      boolean expired = each.isExpired(estate.pass().now());
      if (each.isUnused() && (lacksRoom || expired || (noneWaits && !config.keepLeftovers()))) {
        estate.releaseUnused(each);
      }
    }
  }
}
