package acme.search;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Allocates the copies of shards to hosts. One thread uses it, and passes the time to each call.
 *
 * <p>The copies of a shard are spread over the zones and kept apart by host. Taints keep copies
 * away from disks that fill up. The scheduler takes down no copy of a shard unless the shard has a
 * permit to move, and only so many shards have one at a time.
 */
final class SearchCluster {

  static final Dimension DISK = new Dimension("disk", 1); // gigabytes
  private static final String ZONE = "zone";
  private static final String CLASS = "shards";

  private static final DisruptionBudget STAY = DisruptionBudget.maxDown(0);
  private static final DisruptionBudget MAY_MOVE = DisruptionBudget.maxDown(1);

  private static final String LEAST_USED_DISK_FIRST =
      """
      {"allocationScore": {"leastRequested": 1, "balancedAllocation": 0}}""";

  private final Scheduler scheduler;
  private final int mostMoves;
  private final Map<String, Disk> disks = new TreeMap<>(); // by host
  private final Map<String, String> moving = new HashMap<>(); // the copy, by its shard

  /** The disk of a host, as reported last. */
  private static final class Disk {
    final DataHost host;
    Mark mark = Mark.NONE;
    long used;

    Disk(DataHost host) {
      this.host = host;
    }

    HostSpec spec() {
      return new HostSpec(host.name(), gigabytes(host.gigabytes()), Map.of(ZONE, host.zone()))
          .withTaints(mark.taints().toArray(Taint[]::new));
    }
  }

  /**
   * Creates a cluster without hosts.
   *
   * @param mostMoves how many copies may be on the move at a time by decision of the scheduler
   */
  SearchCluster(int mostMoves) {
    this(mostMoves, Scheduler.builder().policy("never-preempt", LEAST_USED_DISK_FIRST));
  }

  private SearchCluster(int mostMoves, Scheduler.Builder withPolicy) {
    ServiceClass shards = ServiceClass.builder(CLASS).slo(1.0).importance(1).build();
    this.scheduler = withPolicy.serviceClasses(shards).build();
    this.mostMoves = mostMoves;
  }

  /** Creates a cluster without hosts under {@link GreedyPolicy}. */
  static SearchCluster greedy(int mostMoves) {
    return new SearchCluster(
        mostMoves, Scheduler.builder().policy("greedy", context -> new GreedyPolicy()));
  }

  private static Resources gigabytes(long amount) {
    return Resources.of(DISK, amount);
  }

  // ---- Zones and hosts

  /**
   * Adds a zone. A closed host without a disk represents it, so that it counts for the spread even
   * without any other host. While the zone is down, no other zone takes its copies.
   */
  void addZone(String zone, long now) {
    scheduler.addHost(new HostSpec(witness(zone), Resources.none(), Map.of(ZONE, zone)), now);
    scheduler.cordon(witness(zone), now);
  }

  /** Gives a zone without hosts up: the others take its copies. */
  void giveUpZone(String zone, long now) {
    scheduler.removeHost(witness(zone), now);
  }

  private static String witness(String zone) {
    return zone + "-witness";
  }

  void hostJoined(DataHost host, long now) {
    Disk disk = new Disk(host);
    disks.put(host.name(), disk);
    scheduler.addHost(disk.spec(), now);
  }

  /** Removes a host; its copies are pending. */
  void hostLost(String host, long now) {
    scheduler.removeHost(host, now);
    disks.remove(host);
  }

  // ---- Shards

  /** Creates a shard, whose copies are pending. */
  void create(Shard shard, long now) {
    Peers copies = Peers.ofJob(shard.name());
    PlacementSpec rules =
        PlacementSpec.builder()
            .spread(copies, Domain.of(ZONE), 1)
            .apart(copies, Domain.HOST)
            .build();
    Resources demand = gigabytes(shard.gigabytes());
    scheduler.setBudget(shard.name(), STAY, now);
    for (int i = 0; i < Shard.COPIES; i++) {
      scheduler.submit(
          Request.builder(shard.copy(i), CLASS)
              .job(shard.name())
              .demand(demand)
              .placement(rules)
              .build(),
          now);
    }
  }

  /** Reports that a copy has all its data and serves searches. */
  void started(String copy, long now) {
    scheduler.started(copy, now);
    if (isMoving(copy)) {
      endMove(copy, now); // the next report of a disk permits further moves
    }
  }

  // ---- Disks

  /**
   * Reports how full the disk of a host is. What its copies have grown beyond their size counts as
   * foreign load, so that the host does not look emptier than it is.
   */
  void diskReported(String host, long used, long now) {
    Disk disk = disks.get(host);
    disk.used = used;
    scheduler.foreignLoad(host, gigabytes(Math.max(0, used - allocated(host))), now);

    Mark mark = Mark.of(used, disk.host.gigabytes());
    boolean staysHigh = disk.mark == Mark.HIGH && mark == Mark.LOW; // until it is below low
    if (mark != disk.mark && !staysHigh) {
      disk.mark = mark;
      scheduler.changeHost(disk.spec(), now);
    }
    withdrawPermits(now);
    permitMoves(now);
  }

  // ---- The budget of moves

  /**
   * Permits copies to leave disks that are too full, the largest first, until the rest would be
   * below the low watermark or no permit is left.
   */
  private void permitMoves(long now) {
    for (Disk disk : disks.values()) {
      if (disk.mark == Mark.HIGH) {
        permitMoves(disk, now);
      }
    }
  }

  private void permitMoves(Disk disk, long now) {
    List<Instance> copies = new ArrayList<>(copiesOn(disk.host.name()));
    long leaving =
        copies.stream().filter(each -> isMoving(each.id())).mapToLong(SearchCluster::size).sum();
    copies.sort(Comparator.comparingLong(SearchCluster::size).reversed());
    for (Instance each : copies) {
      boolean enough = Mark.of(disk.used - leaving, disk.host.gigabytes()).compareTo(Mark.LOW) < 0;
      if (enough || moving.size() >= mostMoves) {
        return;
      }
      String shard = Shard.of(each.id());
      if (moving.putIfAbsent(shard, each.id()) == null) {
        scheduler.setBudget(shard, MAY_MOVE, now);
        leaving += size(each);
      }
    }
  }

  /** Withdraws the permits of copies that are where they may stay. */
  private void withdrawPermits(long now) {
    for (String copy : List.copyOf(moving.values())) {
      Instance instance = scheduler.instance(copy).orElseThrow();
      boolean isUp = instance.state() == InstanceState.RUNNING;
      if (isUp && mark(instance.host().orElseThrow().id()) != Mark.HIGH) {
        endMove(copy, now);
      }
    }
  }

  private void endMove(String copy, long now) {
    moving.remove(Shard.of(copy));
    scheduler.setBudget(Shard.of(copy), STAY, now);
  }

  private boolean isMoving(String copy) {
    return copy.equals(moving.get(Shard.of(copy)));
  }

  // ---- Passes

  /** Runs the passes that are due, and returns what the hosts must do. */
  List<Action> allocate(long now) {
    List<Action> actions = new ArrayList<>();
    while (isPassDue(now)) {
      actions.addAll(scheduler.schedule(now).actions());
    }
    return actions;
  }

  private boolean isPassDue(long now) {
    OptionalLong next = scheduler.nextPassAt();
    return next.isPresent() && next.getAsLong() <= now;
  }

  // ---- What is where

  /** Returns the host of each copy that has one. */
  Map<String, String> allocation() {
    Map<String, String> hosts = new HashMap<>();
    for (Instance each : scheduler.instances()) {
      each.host().ifPresent(host -> hosts.put(each.id(), host.id()));
    }
    return hosts;
  }

  /** Returns the number of copies without a host. */
  int pending() {
    return scheduler.pendingCount();
  }

  /** Returns the number of gigabytes that the copies on a host need. */
  long allocated(String host) {
    return copiesOn(host).stream().mapToLong(SearchCluster::size).sum();
  }

  Mark mark(String host) {
    return disks.get(host).mark;
  }

  /** Returns how many shards may move now. */
  int permits() {
    return moving.size();
  }

  String whyPending(String copy, long now) {
    return scheduler.explain().whyPending(copy, now).describe();
  }

  private Collection<Instance> copiesOn(String host) {
    return scheduler.host(host).orElseThrow().instances();
  }

  private static long size(Instance copy) {
    return copy.request().demand().amount(DISK);
  }
}
