package dev.berth.policies.elastic;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of a pool in a pass: its clusters, the bags that wait for one, and the requests without
 * a bag, with the actions on them.
 *
 * <p>Requests without a bag, and bags whose tasks fit on no host of the pool, run on hosts without
 * a cluster. For the former, hosts are also requested, in a cluster of their own.
 */
final class PoolState {

  /** The cluster for requests without a bag. */
  static final String SINGLES = "single-requests";

  static final Reason POOL_FAILS =
      new Reason.PolicyChoice("pool-fails", "its bag waits, since a host recently failed to start");

  private static final Reason UNUSED =
      new Reason.PolicyChoice("unused", "no bag uses its cluster and none waits");
  private static final Reason NOTHING_LEFT =
      new Reason.PolicyChoice("nothing-left", "the bags of its cluster have no tasks left for it");
  private static final Reason FOR_SINGLES =
      new Reason.PolicyChoice("single-requests", "requests without a bag wait for a host");
  private static final Reason MISSING =
      new Reason.PolicyChoice("hosts-missing", "its cluster has fewer hosts than its bags need");
  private static final Reason STOPS = new Reason.PolicyChoice("stops", "its host is released");
  private static final Reason OF_OTHERS =
      new Reason.PolicyChoice("hosts-of-others", "the hosts with room belong to bags of tasks");

  private final SchedulingPass pass;
  private final Pool pool;
  private final BagSizing sizing;
  private final ProvisioningBackoff backoff;
  private final Map<String, VirtualCluster> clusters;
  private final List<Bag> waiting = new ArrayList<>();
  private final List<Bag> misfits = new ArrayList<>();
  private final Map<String, Integer> slots = new HashMap<>(); // by bag
  private boolean changed; // so that this is what was

  PoolState(SchedulingPass pass, Pool pool, BagSizing sizing, ProvisioningBackoff backoff) {
    this.pass = pass;
    this.pool = pool;
    this.sizing = sizing;
    this.backoff = backoff;
    this.clusters = VirtualCluster.all(pass, pool);
    for (Bag each : pass.bags()) {
      if (each.cluster().isEmpty()) {
        boolean fits = pool.spec().limit() > 0 && Slots.takesAll(each.instances(), pool.spec());
        (fits ? waiting : misfits).add(each);
      }
    }
  }

  /** Returns what there is now, if the pass has acted on hosts or bags since. */
  PoolState refreshed() {
    return changed ? new PoolState(pass, pool, sizing, backoff) : this;
  }

  SchedulingPass pass() {
    return pass;
  }

  /** Returns the bags that wait for a cluster, in order of submission. */
  List<Bag> waiting() {
    return waiting;
  }

  /** Returns the clusters of bags that have hosts, the oldest first. */
  List<VirtualCluster> clusters() {
    return clusters.values().stream()
        .filter(each -> !each.hosts().isEmpty() && !each.name().equals(SINGLES))
        .toList();
  }

  Optional<VirtualCluster> cluster(String name) {
    return Optional.ofNullable(clusters.get(name));
  }

  // ---- What bags want

  /** Returns QMV0 of a bag, limited to useful hosts and to the limit of the pool. */
  int hostsFor(Bag bag) {
    return Math.min(share(bag), pool.spec().limit());
  }

  /** Returns QMV0 of a bag, limited to the number of hosts that the bag can keep busy. */
  private int share(Bag bag) {
    return sizing.hostsFor(bag, slots(bag));
  }

  /**
   * Returns how many tasks of a bag a host takes; computed once, since it evaluates all of them.
   */
  int slots(Bag bag) {
    return slots.computeIfAbsent(bag.id(), id -> Slots.perHost(bag, pool.spec()));
  }

  /** Returns how many hosts the remaining tasks of a bag can keep busy, within its share. */
  int needs(Bag bag) {
    int perHost = slots(bag);
    int tasks = (bag.remaining() + perHost - 1) / perHost;
    return Math.min(tasks, share(bag));
  }

  /**
   * Returns the used share of a cluster that takes instances: the hosts that the remaining tasks of
   * its bags can keep busy, running or waiting, divided by all its hosts. From 0 to 1.
   */
  double utilisation(VirtualCluster cluster) {
    long busy = 0;
    for (Bag each : cluster.bags()) {
      busy += needs(each);
    }
    return Math.min(1, (double) busy / cluster.size());
  }

  // ---- Acting

  /**
   * Assigns a bag to a cluster, and requests hosts for it.
   *
   * @param start how many; 0 for none; the pool has room for them
   * @param hosts how many the bag then has; positive
   */
  void run(Bag bag, String cluster, int start, int hosts, Reason why) {
    int perHost = Slots.leastPerHost(bag, pool.spec());
    long timeToLive = sizing.timeToLive(bag, perHost, hosts, pool);
    OptionalLong expiry = OptionalLong.of(saturatedSum(pass.now(), timeToLive));
    changed = true;
    pass.assign(bag, cluster, expiry, why);
    if (start > 0) {
      pass.provision(pool, start, Optional.of(cluster), bag.expiresAt(), why);
    }
  }

  private static long saturatedSum(long now, long delay) {
    long sum = now + delay;
    return sum < now ? Long.MAX_VALUE : sum;
  }

  /**
   * Returns how many of the wanted hosts can be requested: all if the pool has room; the room of
   * the pool if waiting would not increase it; otherwise none.
   */
  int canHave(int wanted) {
    boolean moreToCome =
        pool.stopping() > 0
            || clusters.values().stream()
                .anyMatch(each -> !each.hosts().isEmpty() && !each.name().equals(SINGLES));
    return wanted <= pool.room() ? wanted : moreToCome ? 0 : pool.room();
  }

  /** Returns why a bag waits that needs more hosts than the pool has room for. */
  Reason lackOfRoom(int hosts) {
    return new Reason.PolicyChoice(
        "waits-for-hosts",
        "its bag waits for %s hosts, there is room for %s".formatted(hosts, pool.room()));
  }

  boolean mayRequest() {
    return backoff.mayRequest(pass, pool);
  }

  /** Requests hosts for clusters that have fewer than their bags can use. */
  void replaceTheMissing() {
    for (VirtualCluster each : clusters.values()) {
      int missing = leastOf(each) - each.size();
      int start = Math.min(missing, pool.room());
      if (start > 0 && mayRequest()) {
        OptionalLong expiry = each.firstBag().map(Bag::expiresAt).orElse(OptionalLong.empty());
        changed = true;
        pass.provision(pool, start, Optional.of(each.name()), expiry, MISSING);
      }
    }
  }

  /** Returns how many hosts a cluster needs so that each of its bags alone can have its share. */
  int leastOf(VirtualCluster cluster) {
    return ClusterSizing.most(cluster.bags().stream().map(this::needs).toList());
  }

  /** Releases the hosts of an unused cluster, unless something was adopted or moved there. */
  void releaseUnused(VirtualCluster cluster) {
    changed = true;
    releaseIdle(cluster.hosts());
  }

  /** Releases idle hosts of a cluster for which its bags have no tasks left. */
  void trim(VirtualCluster cluster) {
    int surplus = cluster.size() - cluster.bags().stream().mapToInt(this::needs).sum();
    for (Host each : cluster.open()) {
      if (surplus > 0
          && each.instances().isEmpty()
          && pass.release(each, NOTHING_LEFT).accepted()) {
        surplus--;
        changed = true;
      }
    }
  }

  /**
   * Releases some hosts of a cluster: idle hosts first, then those with the fewest instances.
   * Instances migrate to the remaining hosts; if that is not possible, the host is kept.
   */
  void release(VirtualCluster cluster, int count, Reason why) {
    List<Host> candidates =
        cluster.hosts().stream()
            .filter(each -> each.closed().isEmpty()) // closed ones were not counted
            .sorted(Comparator.comparingInt(each -> each.instances().size()))
            .toList();
    int released = 0;
    for (int i = 0; i < candidates.size() && released < count; i++) {
      List<Host> staying = candidates.subList(i + 1, candidates.size());
      if (release(candidates.get(i), staying, why)) {
        released++;
      }
    }
  }

  private boolean release(Host host, List<Host> staying, Reason why) {
    try (SchedulingPass.Fork attempt = pass.fork()) {
      for (Instance each : List.copyOf(host.instances())) {
        if (each.state() == InstanceState.STARTING || !move(attempt, each, staying)) {
          return false;
        }
      }
      if (!attempt.release(host, why).accepted()) {
        return false;
      }
      attempt.keep();
      changed = true;
      return true;
    }
  }

  private static boolean move(SchedulingPass attempt, Instance instance, List<Host> staying) {
    for (Host each : staying) {
      boolean isUp = attempt.host(each.id()).isPresent();
      if (isUp && attempt.migrate(instance, each, instance.granted(), STOPS).accepted()) {
        return true;
      }
    }
    return false;
  }

  // ---- Placing

  /** Places the tasks of the bags that have a cluster, each bag within its share. */
  void placeBags() {
    for (Bag bag : pass.bags()) {
      Optional<VirtualCluster> cluster = bag.cluster().flatMap(this::cluster);
      if (cluster.isPresent()) {
        int most = share(bag) * slots(bag); // no more than twice its size
        new BagPlacer(pass, upNow(cluster.get())).place(bag.instances(), most);
      }
    }
  }

  private List<Host> upNow(VirtualCluster cluster) {
    return cluster.open().stream().filter(each -> pass.host(each.id()).isPresent()).toList();
  }

  /** Places the requests without a cluster, and requests hosts for them. */
  void serveSingles(ClusterSizing.Limits limits) {
    List<Instance> left = placeSingles(pass, misfits);
    List<Instance> served =
        left.stream()
            .filter(each -> each.bag().isEmpty() && Slots.takes(each, pool.spec()))
            .toList();
    Optional<VirtualCluster> cluster = cluster(SINGLES);
    if (served.isEmpty()) {
      cluster.ifPresent(each -> releaseIdle(each.hosts()));
      return;
    }
    int useless = cluster.map(each -> releaseIdle(each.up())).orElse(0); // to the pending instances
    double hosts = 0;
    long walltime = 0;
    for (Instance each : served) {
      int perHost = Slots.perHost(each.request().demand(), pool.spec());
      hosts += 1.0 / perHost;
      walltime = saturatedSum(walltime, sizing.estimate(each) / perHost);
    }
    int together = ClusterSizing.hostsFor(walltime, sizing.waste());
    int wanted = (int) Math.min(Math.ceil(hosts), together);
    int starting = cluster.map(VirtualCluster::starting).orElse(0);
    int allowed = limits.maxHosts() - cluster.map(each -> each.hosts().size()).orElse(0);
    int start = Math.min(Math.min(wanted - starting - useless, allowed), pool.room());
    if (start > 0 && mayRequest()) {
      pass.provision(pool, start, Optional.of(SINGLES), OptionalLong.empty(), FOR_SINGLES);
    }
  }

  /** Releases the idle ones among some hosts. Returns their number. */
  private int releaseIdle(List<Host> hosts) {
    int released = 0;
    for (Host each : hosts) {
      if (each.instances().isEmpty()) {
        pass.release(each, UNUSED);
        released++;
      }
    }
    return released;
  }

  /**
   * Places requests without a bag, and bags that fit on no host of the pool, on hosts without a
   * bag.
   *
   * @return the instances that are left pending
   */
  static List<Instance> placeSingles(SchedulingPass pass, Collection<Bag> misfits) {
    List<Host> open = pass.openHosts();
    List<Host> theirs =
        open.stream().filter(each -> each.cluster().orElse(SINGLES).equals(SINGLES)).toList();
    Set<String> bags = misfits.stream().map(Bag::id).collect(Collectors.toSet());
    List<Instance> singles =
        pass.pending().stream()
            .filter(each -> each.bag().map(bags::contains).orElse(true))
            .toList();
    List<Instance> left = new BagPlacer(pass, theirs).place(singles, Integer.MAX_VALUE);
    if (theirs.size() < open.size()) {
      BagPlacer anywhere = new BagPlacer(pass, open);
      left.forEach(each -> anywhere.defer(each, OF_OTHERS));
    }
    return left;
  }
}
