package acme.search;

import dev.berth.api.plan.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster whose hosts carry out plans at once, in simulated time. {@link #step} also starts the
 * placed copies; after {@link #decide} they have not started.
 */
final class Story {

  static final int MOST_MOVES = 4;

  final SearchCluster cluster;
  private final Scenario scenario;
  private final Map<String, DataHost> up = new TreeMap<>();
  private final Map<String, Integer> growth = new TreeMap<>(); // gigabytes beyond the shards' sizes
  private long now;

  /** What the hosts had to do in a step. */
  record Step(List<Action.Place> placed, List<Action.Evict> evicted) {}

  /** Creates all hosts and shards, without any pass. */
  Story(Scenario scenario, SearchCluster cluster) {
    this.scenario = scenario;
    this.cluster = cluster;
    Scenario.ZONES.forEach(zone -> cluster.addZone(zone, now));
    scenario.hosts().forEach(this::join);
    scenario.shards().forEach(shard -> cluster.create(shard, now));
  }

  private void join(DataHost host) {
    up.put(host.name(), host);
    cluster.hostJoined(host, now);
  }

  long now() {
    return now;
  }

  void pass(Duration time) {
    now += time.toNanos();
  }

  // ---- What happens to hosts

  void fail(String host) {
    up.remove(host);
    cluster.hostLost(host, now);
  }

  void failZone(String zone) {
    for (DataHost each : List.copyOf(up.values())) {
      if (each.zone().equals(zone)) {
        fail(each.name());
      }
    }
  }

  /** Brings all hosts of a zone back, with empty disks. */
  void bringBack(String zone) {
    for (DataHost each : scenario.hosts()) {
      if (each.zone().equals(zone)) {
        join(each);
      }
    }
  }

  /** Fills the disk of a host up to a share of it, in percent, by growth of its copies. */
  void fill(String host, int percent) {
    long wanted = (long) percent * up.get(host).gigabytes() / 100;
    growth.put(host, (int) (wanted - cluster.allocated(host)));
    reportDisk(host);
  }

  private void reportDisk(String host) {
    cluster.diskReported(host, cluster.allocated(host) + growth.getOrDefault(host, 0), now);
  }

  // ---- What the hosts do

  /** Carries out what passes decide now; copies are up afterwards. */
  Step step() {
    Step step = decide();
    step.placed().forEach(each -> cluster.started(each.instance(), now));
    growth.keySet().removeIf(host -> !up.containsKey(host));
    growth.keySet().forEach(this::reportDisk);
    return step;
  }

  /** Carries out what passes decide now; copies are not up yet. */
  Step decide() {
    List<Action.Place> placed = new ArrayList<>();
    List<Action.Evict> evicted = new ArrayList<>();
    for (Action each : cluster.allocate(now)) {
      if (each instanceof Action.Place place) {
        placed.add(place);
      } else if (each instanceof Action.Evict evict) {
        evicted.add(evict);
      } else {
        throw new IllegalStateException("this cluster cannot carry out " + each.describe());
      }
    }
    return new Step(placed, evicted);
  }

  Allocation allocation() {
    return Allocation.of(List.copyOf(up.values()), scenario.shards(), cluster.allocation());
  }
}
