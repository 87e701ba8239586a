package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.internal.state.ClusterState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Fixture: a cluster with something of everything, and what happens to it later. Two of them are
 * compared, of which one was asked something, or restored.
 */
final class FullCluster {

  /** The number of later steps. */
  static final int STEPS = 4;

  static final Reason WHY = new Reason.PolicyChoice("test", "because");
  static final Peers WEB = Peers.ofJob("web");
  static final Domain ZONE = Domain.of("zone");
  static final PoolSpec POOL = new PoolSpec("p", cores(2), 4);
  private static final Backoff HELD = new Backoff(Duration.ofSeconds(40), Duration.ofSeconds(40));
  static final Taint LEAVE = Taint.leaveAfter("maintenance", "yes", Duration.ofSeconds(100));
  static final Drain WAITING = Drain.waiting().until(50 * SECOND);

  private FullCluster() {}

  /**
   * Provisions three hosts in its first pass and releases one in its second, rejects what is
   * doomed, and runs a pipeline.
   */
  private static final class Provisioning implements Policy {

    private final Policy pipeline;

    Provisioning(Policy pipeline) {
      this.pipeline = pipeline;
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(PolicyMemory.none());
    }

    @Override
    public void schedule(SchedulingPass pass) {
      if (pass.number() == 1) {
        pass.provision(pass.pools().get(0), 3, Optional.empty(), OptionalLong.empty(), WHY);
      }
      if (pass.number() == 2) {
        pass.release(pass.host("p-3").orElseThrow(), WHY);
      }
      pass.pending().stream()
          .filter(each -> each.id().startsWith("doomed"))
          .forEach(each -> pass.reject(each, WHY));
      pipeline.schedule(pass);
    }
  }

  static HostSpec host(String id, double cores, String zone) {
    return new HostSpec(id, cores(cores), Map.of("name", id, "zone", zone));
  }

  static Request.Builder web(String id, double cores) {
    return request(id, cores).job("web");
  }

  static Request.Builder ruled(
      String id, double cores, UnaryOperator<PlacementSpec.Builder> rules) {
    return request(id, cores).placement(rules.apply(PlacementSpec.builder()).build());
  }

  /** Returns a cluster with the policy of all of them. */
  static Cluster with(Scheduler.Builder settings) {
    return Cluster.withPolicy(
        settings,
        context ->
            new Provisioning(
                context
                    .pipeline()
                    .preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT)
                    .build()));
  }

  /**
   * Returns the cluster at 10 s. Hosts h1 and h2 are open; f1 and the time-shared host have foreign
   * load; p-1 is of a pool, whose p-2 is starting and p-3 stopping; c1 is cordoned, d1 drained, t1
   * tainted, k1 held back, and one holds more than its capacity. No pass is due.
   */
  static Cluster prepared() {
    Cluster cluster = with(Scheduler.builder().hostBackoff(HELD).instanceBackoff(HELD));
    Scheduler scheduler = cluster.scheduler();
    scheduler.offerPool(POOL, 0);
    cluster.pass();
    Stream.of("p-1", "p-3").forEach(each -> scheduler.addHost(POOL.host(each), 0));
    scheduler.addHost(new HostSpec("shared", cores(2), Map.of("name", "shared"), true), 0);
    Stream.of(host("h1", 4, "a"), host("h2", 4, "b"), host("c1", 2, "c"), host("d1", 2, "d"))
        .forEach(each -> scheduler.addHost(each, 0));
    Stream.of(host("t1", 2, "t"), host("f1", 2, "f"), host("k1", 2, "k"), host("over", 2, "o"))
        .forEach(each -> scheduler.addHost(each, 0));
    scheduler.setLimit("licence", 2, 0);
    scheduler.setBudget("web", DisruptionBudget.minUp(1), 0);
    scheduler.digest(); // from now on, what changes is noted
    cluster.running(web("w1", 2), "h1").running(web("w2", 1), "h2");
    cluster.running(request("onT", 1), "t1").running(request("onD", 1), "d1");
    cluster.running(request("onOver", 2), "over").changed("over", 1);
    cluster.starting(request("s", 1), "h2").starting(request("failing", 2), "k1");
    cluster
        .failed("failing")
        .cordoned("c1")
        .drained("d1", WAITING)
        .foreign("f1", 1)
        .foreign("shared", 1);
    scheduler.changeHost(tainted(), 0);
    scheduler.submit(new BagSpec("bag", requests("b1", "b2")), 0);
    scheduler.submit(new GroupSpec("g", requests("g1", "g2"), 1, GroupSpec.OnLoss.RELEASE), 0);
    cluster.pass();
    Stream.of("b1", "b2", "g1", "g2").forEach(cluster::started);
    scheduler.submit(new BagSpec("lone", List.of(request("huge", 99).build())), 0);
    scheduler.submit(new BagSpec("next", List.of(request("huger", 99).build())), 0);
    scheduler.submit(new GroupSpec("solo", List.of(request("big", 99).build())), 0);
    scheduler.submit(new GroupSpec("late", List.of(request("bigger", 99).build())), 0);
    cluster.pending(ruled("nearWeb", 3, it -> it.near(WEB, ZONE)));
    cluster.pending(request("inZone", 3).constraint(new Constraint.Equal("zone", "a")));
    cluster.pending(ruled("licensed", 1, it -> it.use("licence", 3)));
    cluster.at(10).pass();
    return cluster;
  }

  static HostSpec tainted() {
    return host("t1", 2, "t").withTaints(LEAVE, Taint.preferNot("slow", "yes"));
  }

  static List<Request> requests(String... ids) {
    return Stream.of(ids).map(each -> request(each, 1).build()).toList();
  }

  /** The events and the pass of a later step. */
  static Plan next(Cluster cluster, int step) {
    switch (step) {
      case 0 -> {
        cluster.at(20).started("s").pending(ruled("near", 1, it -> it.near(WEB, ZONE)));
        Stream.of("h1", "shared", "over", "f1", "c1")
            .map(each -> request("on " + each, 0.5).constraint(new Constraint.Equal("name", each)))
            .forEach(cluster::pending);
        Stream.of("x1", "x2", "x3", "x4", "x5", "x6")
            .forEach(each -> cluster.pending(each, "bronze", 1));
      }
      case 1 -> {
        cluster.at(30).cancel("w1");
        cluster.pending(request("strong", 3).constraint(new Constraint.Equal("name", "h1")));
      }
      case 2 -> cluster.at(60); // the deadline of the drain, and the host that is held back
      default -> cluster.at(120); // instances must leave the tainted host
    }
    return cluster.pass();
  }

  /** Compares all that is kept of two clusters, except how they came to it. */
  static void assertAlike(Cluster one, Cluster other) {
    assertThat(StateDump.of(one.scheduler(), one.now()))
        .isEqualTo(StateDump.of(other.scheduler(), other.now()));
    assertThat(lists(one)).isEqualTo(lists(other));
    assertThat(one.scheduler().digest())
        .isEqualTo(other.scheduler().digest())
        .isEqualTo(one.scheduler().snapshot().digest());
  }

  /** What the cluster lists and counts, as text. */
  private static List<String> lists(Cluster cluster) {
    ClusterState state = StateDump.state(cluster.scheduler());
    List<String> lists = new ArrayList<>();
    lists.add(state.closedHosts() + " are closed");
    lists.add("draining " + state.draining());
    lists.add("expelling " + state.expelling());
    lists.add("discouraged " + state.peers().discourage());
    lists.add("instances " + state.instanceRecords().stream().map(each -> each.id()).toList());
    lists.add("bags " + state.bagRecords() + ", groups " + state.groupRecords());
    state
        .budgets()
        .all()
        .forEach(each -> lists.add("budget of %s: %s left".formatted(each.job, each.left())));
    lists.add("limits " + state.limits().all());
    lists.add("dimensions " + state.table().dimensions());
    return lists;
  }
}
