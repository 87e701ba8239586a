package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.policies.elastic.ClusterSizing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * The thesis's own model of ElasticCluster and ElasticSite (chapter 4, a coloured Petri net), in
 * which no task runs. The utilisation of a cluster by a bag is drawn beforehand, and a bag takes
 * its walltime divided by its hosts. The policies decide; the model replaces the execution of
 * tasks, as in the thesis.
 *
 * <p>Where the thesis leaves details open, the model uses what comes near its tables
 * (docs/experiments.md). A bag is given all hosts of its cluster and takes {@code walltime / hosts
 * + 60 s} on them; the hosts that Algorithm 2 does not stop stay and may be used again; a host that
 * several bags were given is stopped by the last of them.
 */
public final class PetriNetModel {

  private static final Duration SLACK = Duration.ofSeconds(60);

  /** Hosts that were started together, and the bags that were given them. */
  private static final class Group {
    private int hosts;
    private final Set<Integer> bags = new LinkedHashSet<>();

    Group(int hosts) {
      this.hosts = hosts;
    }
  }

  private static final class Cluster {
    private final String name;
    private final List<Group> groups = new ArrayList<>();
    private final Set<Integer> running = new LinkedHashSet<>();

    Cluster(String name) {
      this.name = name;
    }

    int hosts() {
      return groups.stream().mapToInt(each -> each.hosts).sum();
    }
  }

  private record End(long at, int bag, Cluster cluster) {}

  private final List<Tasks> bags;
  private final double use;
  private final ClusterSizing.Limits limits;
  private final Duration waste;
  private final Map<String, Cluster> clusters = new TreeMap<>();
  private final PriorityQueue<End> ends =
      new PriorityQueue<>((one, other) -> Long.compare(one.at, other.at));

  private int started;
  private int reused;
  private int made;
  private long end;

  private PetriNetModel(List<Tasks> bags, double use, ClusterSizing.Limits limits, Duration waste) {
    this.bags = bags;
    this.use = use;
    this.limits = limits;
    this.waste = waste;
  }

  /**
   * The result of a workload.
   *
   * @param started hosts started
   * @param reused idle hosts used again instead of starting one
   * @param clusters clusters created
   * @param end when the last bag ended, nanoseconds
   */
  public record Figures(int started, int reused, int clusters, long end) {}

  /** Returns the result of ElasticSite on a workload: a cluster for each bag, one at a time. */
  static Figures site(List<Tasks> bags, Duration waste) {
    int started = 0;
    long free = 0;
    for (Tasks each : bags) {
      int hosts = ClusterSizing.hostsFor(each.walltime(), waste);
      started += hosts;
      free = Math.max(free, each.at()) + ClusterSizing.timeToLive(each.walltime(), hosts, SLACK);
    }
    return new Figures(started, 0, bags.size(), free);
  }

  /**
   * Returns the result of ElasticCluster on a workload.
   *
   * @param use share of its cluster that each bag uses, from 0 to 1
   */
  public static Figures cluster(
      List<Tasks> bags, double use, ClusterSizing.Limits limits, Duration waste) {
    PetriNetModel model = new PetriNetModel(bags, use, limits, waste);
    for (int bag = 0; bag < bags.size(); bag++) {
      model.endUntil(bags.get(bag).at());
      model.begin(bag);
    }
    model.endUntil(Long.MAX_VALUE);
    return new Figures(model.started, model.reused, model.made, model.end);
  }

  private void begin(int bag) {
    Tasks tasks = bags.get(bag);
    int wanted = ClusterSizing.hostsFor(tasks.walltime(), waste);
    List<ClusterSizing.Cluster> seen =
        clusters.values().stream()
            .map(
                each ->
                    new ClusterSizing.Cluster(
                        each.name, each.hosts(), Math.min(1, use * each.running.size())))
            .toList();
    ClusterSizing.Growth growth = ClusterSizing.grow(wanted, seen, limits);
    Cluster cluster = growth.cluster().map(clusters::get).orElseGet(this::make);
    if (growth.start() > 0) {
      cluster.groups.add(new Group(growth.start()));
      started += growth.start();
    }
    reused += growth.cluster().isPresent() ? wanted - growth.start() : 0;
    cluster.groups.forEach(each -> each.bags.add(bag));
    cluster.running.add(bag);
    long takes = ClusterSizing.timeToLive(tasks.walltime(), cluster.hosts(), SLACK);
    ends.add(new End(tasks.at() + takes, bag, cluster));
  }

  private Cluster make() {
    Cluster cluster = new Cluster("c" + made++);
    clusters.put(cluster.name, cluster);
    return cluster;
  }

  private void endUntil(long time) {
    while (!ends.isEmpty() && ends.peek().at <= time) {
      end(ends.remove());
    }
  }

  private void end(End ending) {
    end = Math.max(end, ending.at);
    Cluster cluster = ending.cluster;
    int toStop = ClusterSizing.shrink(cluster.hosts(), use, 0);
    cluster.running.remove(ending.bag);
    for (Group each : cluster.groups) {
      each.bags.remove(ending.bag);
      if (each.bags.isEmpty()) {
        int stopped = Math.min(toStop, each.hosts);
        each.hosts -= stopped;
        toStop -= stopped;
      }
    }
    if (cluster.hosts() == 0) {
      clusters.remove(cluster.name);
    }
  }

  /** Returns the sum of QMV0 over all bags of a workload, each limited to its number of tasks. */
  public static int wanted(List<Tasks> bags, Duration waste) {
    return bags.stream()
        .mapToInt(
            each ->
                Math.min(ClusterSizing.hostsFor(each.walltime(), waste), each.runTimes().size()))
        .sum();
  }
}
