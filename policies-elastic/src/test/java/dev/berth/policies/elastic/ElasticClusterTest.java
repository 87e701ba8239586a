package dev.berth.policies.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Scheduler;
import dev.berth.testkit.simulation.BagScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Bags of equal tasks, each worth a core for 104 s: four of them are worth four hosts of one core.
 */
class ElasticClusterTest {

  private static final long SECOND = 1_000_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final Duration TASK = Duration.ofSeconds(104);
  private static final PolicyFactory<ElasticClusterConfig> FACTORY =
      ElasticPolicies.ELASTIC_CLUSTER;

  private Scheduler scheduler = scheduler(FACTORY.defaults());
  private long now;

  private static Scheduler scheduler(ElasticClusterConfig config) {
    return Scheduler.builder().policy(FACTORY, config).serviceClasses(BagScenario.BATCH).build();
  }

  private void offer(int limit, int cores) {
    scheduler.offerPool(
        new PoolSpec(
            "vm",
            Resources.of(Dimension.CPU, cores * Dimension.CPU.unitsPerWhole()),
            Map.of(),
            limit,
            Duration.ofSeconds(10),
            Duration.ofSeconds(3)),
        now);
  }

  private void submit(String bag, int tasks) {
    scheduler.submit(
        new BagSpec(
            bag,
            IntStream.rangeClosed(1, tasks)
                .mapToObj(
                    i ->
                        Request.builder(bag + i, "batch")
                            .demand(BagScenario.CORE)
                            .estimatedRunTime(TASK)
                            .build())
                .toList()),
        now);
  }

  private Plan pass() {
    return scheduler.schedule(now);
  }

  /** Reports all provisioned hosts as up and runs a pass. */
  private Plan allUp() {
    now += 10 * SECOND;
    for (Host each : List.copyOf(scheduler.pools().get(0).starting())) {
      scheduler.addHost(scheduler.pools().get(0).spec().host(each.id()), now);
    }
    Plan plan = pass();
    plan.placements().forEach(each -> scheduler.started(each.instance(), now));
    return plan;
  }

  private Plan complete(String... ids) {
    for (String each : ids) {
      scheduler.completed(each, now);
    }
    Plan plan = pass();
    plan.placements().forEach(each -> scheduler.started(each.instance(), now));
    return plan;
  }

  private static List<Integer> asked(Plan plan) {
    return plan.actions(Action.Provision.class).stream().map(each -> each.hosts().size()).toList();
  }

  private static List<String> clusters(Plan plan) {
    return plan.actions(Action.Assign.class).stream().map(Action.Assign::cluster).toList();
  }

  private static List<String> released(Plan plan) {
    return plan.actions(Action.Release.class).stream().map(Action.Release::host).toList();
  }

  @Test
  void firstBagGetsANewCluster() {
    offer(100, 1);
    submit("a", 4);

    Plan plan = pass();

    assertThat(asked(plan)).containsExactly(4);
    assertThat(clusters(plan)).containsExactly("a@1");
    assertThat(allUp().placements()).hasSize(4);
    assertThat(scheduler.bag("a").orElseThrow().expiresAt().orElseThrow())
        .isEqualTo((104 + 104 - 26 + 10 + 60) * SECOND); // Graham's bound, a start, the slack
  }

  @Test
  void reusesIdleHosts() {
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();
    complete("a1", "a2", "a3");
    submit("b", 3); // worth the three idle hosts

    Plan plan = pass();

    assertThat(asked(plan)).isEmpty();
    assertThat(clusters(plan)).containsExactly("a@1");
    assertThat(plan.placements()).extracting(Action.Place::host).doesNotContain("vm-4").hasSize(3);
    assertThat(scheduler.explain().whyBag("b").orElseThrow().why().code()).isEqualTo("reuse");
  }

  @Test
  void clusterHostsExpireWithTheirBags() {
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();
    long before = scheduler.hosts().get(0).expiresAt().orElseThrow();
    complete("a1", "a2", "a3");
    now += MINUTE;
    submit("b", 3);
    pass();

    assertThat(scheduler.hosts().get(0).expiresAt())
        .isEqualTo(scheduler.bag("b").orElseThrow().expiresAt());
    assertThat(scheduler.hosts().get(0).expiresAt().orElseThrow()).isGreaterThan(before);
  }

  @Test
  void clusterGrowsByMissingHosts() {
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();
    complete("a1", "a2");
    submit("b", 4);

    Plan plan = pass();

    assertThat(asked(plan)).containsExactly(2);
    assertThat(clusters(plan)).containsExactly("a@1");
    assertThat(scheduler.explain().whyBag("b").orElseThrow().why().code()).isEqualTo("growth");
  }

  @Test
  void busyClusterDoesNotGrow() {
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();
    complete("a1"); // three of four hosts are busy: more than U_max
    submit("b", 4);

    Plan plan = pass();

    assertThat(asked(plan)).containsExactly(4);
    assertThat(clusters(plan)).containsExactly("b@4");
  }

  @Test
  void startingHostsAreNotIdle() {
    offer(100, 1);
    submit("a", 4);
    pass();
    submit("b", 4);

    assertThat(clusters(pass())).containsExactly("b@2");
  }

  @Test
  void bagWithoutPoolRoomWaitsForAnotherToEnd() {
    offer(6, 1);
    submit("a", 4);
    pass();
    allUp();
    submit("b", 4);
    Plan waits = pass();

    assertThat(clusters(waits)).isEmpty();
    assertThat(waits.bagDeferrals().get("b").describe())
        .isEqualTo("its bag waits for 4 hosts, there is room for 2");
    assertThat(scheduler.explain().whyPending("b1", now).deferral())
        .map(Reason::code)
        .contains("waits-for-hosts");

    Plan plan = complete("a1", "a2", "a3", "a4");

    assertThat(plan.endedBags()).extracting(BagReport::isComplete).containsExactly(true);
    assertThat(released(plan)).isEmpty(); // the queue needs them
    assertThat(clusters(plan)).containsExactly("a@1");
    assertThat(plan.placements()).hasSize(4);
  }

  @Test
  void oversizedBagGetsTheAvailableHosts() {
    offer(3, 1);
    submit("a", 4);

    assertThat(asked(pass())).containsExactly(3);
    assertThat(allUp().placements()).hasSize(3);
  }

  @Test
  void releasesHostsAfterTheLastBag() {
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();

    assertThat(released(complete("a1", "a2", "a3", "a4")))
        .containsExactlyInAnyOrder("vm-1", "vm-2", "vm-3", "vm-4");
    assertThat(scheduler.hosts()).isEmpty();
    assertThat(scheduler.pools().get(0).stopping()).isEqualTo(4);
  }

  @Test
  void keepsLeftoverHostsUntilTheyExpire() {
    ElasticClusterConfig d = FACTORY.defaults();
    scheduler =
        scheduler(
            new ElasticClusterConfig(
                d.pool(),
                d.waste(),
                d.maxUtilisation(),
                d.maxHosts(),
                d.timeToLive(),
                d.slack(),
                d.assumedRunTime(),
                d.retryAfter(),
                true,
                false));
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();
    now += 50 * SECOND;
    complete("a1", "a2");
    now += 50 * SECOND;

    Plan ended = complete("a3", "a4"); // mean use over 110 s: at most three of four hosts

    assertThat(released(ended)).hasSize(3);
    assertThat(scheduler.nextPassAt()).isEqualTo(scheduler.hosts().get(0).expiresAt());
    now = scheduler.nextPassAt().orElseThrow();
    assertThat(released(pass())).hasSize(1);
  }

  @Test
  void trimsUnneededHosts() {
    ElasticClusterConfig d = FACTORY.defaults();
    scheduler =
        scheduler(
            new ElasticClusterConfig(
                d.pool(),
                d.waste(),
                d.maxUtilisation(),
                d.maxHosts(),
                d.timeToLive(),
                d.slack(),
                d.assumedRunTime(),
                d.retryAfter(),
                false,
                true));
    offer(100, 1);
    submit("a", 4);
    pass();
    assertThat(released(allUp())).isEmpty();

    assertThat(released(complete("a1"))).containsExactly("vm-1");
    assertThat(released(complete("a2", "a3"))).containsExactly("vm-2", "vm-3");
    assertThat(scheduler.hosts()).hasSize(1);
  }

  /** Two bags share three hosts of two slots; when one bag ends, its share is released. */
  @Test
  void migratesInstancesOffTrimmedHosts() {
    offer(100, 2);
    submit("a", 4);
    assertThat(asked(pass())).containsExactly(2);
    allUp();
    complete("a2", "a4");
    submit("b", 4);
    assertThat(asked(pass())).containsExactly(1);
    scheduler.instances().stream()
        .filter(each -> each.id().startsWith("b") && each.host().isPresent())
        .map(Instance::id)
        .toList()
        .forEach(each -> scheduler.started(each, now));
    allUp();
    now += 100 * SECOND;

    Plan plan = complete("b1", "b2", "b3", "b4");

    List<Action.Migrate> moves = plan.actions(Action.Migrate.class);
    assertThat(moves).hasSize(1);
    assertThat(released(plan)).hasSize(2).contains(moves.get(0).from(), "vm-3");
    assertThat(plan.policyErrors()).isEmpty();
    assertThat(scheduler.hosts()).hasSize(1);
    assertThat(scheduler.hosts().get(0).instances()).extracting(Instance::id).contains("a1", "a3");
  }

  @Test
  void retriesFailedHostsAfterABackoff() {
    offer(100, 1);
    submit("a", 4);
    pass();
    now += 10 * SECOND;
    scheduler.removeHost("vm-1", now);
    scheduler.removeHost("vm-2", now);

    assertThat(asked(pass())).isEmpty();
    assertThat(scheduler.nextPassAt()).hasValue(now + MINUTE);
    now += MINUTE;
    assertThat(asked(pass())).containsExactly(2);
  }

  @Test
  void cancelsAnExpiredBag() {
    offer(100, 1);
    submit("a", 4);
    pass();
    allUp();
    now = scheduler.bag("a").orElseThrow().expiresAt().orElseThrow();
    assertThat(scheduler.nextPassAt()).hasValue(now);

    Plan plan = pass();

    assertThat(plan.endedBags()).extracting(each -> each.cancelled().size()).containsExactly(4);
    assertThat(released(plan)).hasSize(4);
  }

  @Test
  void servesRequestsWithoutABag() {
    offer(100, 1);
    for (int i = 1; i <= 3; i++) {
      scheduler.submit(Request.builder("r" + i, "batch").demand(BagScenario.CORE).build(), now);
    }

    assertThat(asked(pass())).containsExactly(3);
    assertThat(allUp().placements()).hasSize(3);
    assertThat(released(complete("r1", "r2", "r3"))).hasSize(3);
  }

  @Test
  void withoutAPoolBagsRunOnExistingHosts() {
    scheduler.addHost(new HostSpec("h", BagScenario.CORE), now);
    submit("a", 2);

    assertThat(pass().placements()).hasSize(1);
  }
}
