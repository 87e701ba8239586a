package dev.berth.policies.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Scheduler;
import dev.berth.testkit.simulation.BagScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Bags, requests and pools of unusual shapes. Tasks run for 104 s, so four tasks of one core are
 * worth four hosts of one core.
 */
class UnusualBagsTest {

  private static final long SECOND = 1_000_000_000;
  private static final Duration TASK = Duration.ofSeconds(104);

  private Scheduler scheduler = scheduler(ElasticPolicies.ELASTIC_CLUSTER);
  private long now;

  private static <C extends Record> Scheduler scheduler(PolicyFactory<C> factory) {
    return Scheduler.builder()
        .policy(factory, factory.defaults())
        .serviceClasses(BagScenario.BATCH)
        .build();
  }

  private static Resources cores(int count) {
    return count == 0
        ? Resources.none()
        : Resources.of(Dimension.CPU, count * Dimension.CPU.unitsPerWhole());
  }

  private void offer(int limit, int cores, Duration start) {
    scheduler.offerPool(
        new PoolSpec("vm", cores(cores), Map.of(), limit, start, Duration.ofSeconds(3)), now);
  }

  private void offer(int limit, int cores) {
    offer(limit, cores, Duration.ofSeconds(10));
  }

  private void single(String id, int cores) {
    scheduler.submit(Request.builder(id, "batch").demand(cores(cores)).build(), now);
  }

  /** Submits a bag of tasks with these numbers of cores. */
  private void submit(String bag, int... cores) {
    scheduler.submit(
        new BagSpec(
            bag,
            IntStream.range(0, cores.length)
                .mapToObj(
                    i ->
                        Request.builder(bag + i, "batch")
                            .demand(cores(cores[i]))
                            .estimatedRunTime(TASK)
                            .build())
                .toList()),
        now);
  }

  private Plan pass() {
    Plan plan = scheduler.schedule(now);
    plan.placements().forEach(each -> scheduler.started(each.instance(), now));
    return plan;
  }

  private void allUp(int cores) {
    now += 10 * SECOND;
    for (Host each : List.copyOf(scheduler.pools().get(0).starting())) {
      scheduler.addHost(new HostSpec(each.id(), cores(cores)), now);
    }
  }

  private OptionalLong expiry(String bag) {
    return scheduler.bag(bag).orElseThrow().expiresAt();
  }

  @Test
  void tasksWithEmptyDemandShareOneHost() {
    offer(10, 1);
    submit("a", 0, 0, 0, 0);
    pass();
    allUp(1);

    assertThat(pass().placements()).hasSize(4);
    assertThat(scheduler.hosts()).hasSize(1);
  }

  @Test
  void bagOfUnequalTasksGetsItsTimeToLive() {
    offer(1, 4);
    submit("a", 1, 4, 4, 4);
    pass();

    assertThat(expiry("a").orElseThrow()).isGreaterThanOrEqualTo((10 + 4 * 104) * SECOND);
  }

  @Test
  void antiAffineTasksAreSpread() {
    offer(10, 4);
    scheduler.submit(
        new BagSpec(
            "a",
            IntStream.range(0, 4)
                .mapToObj(
                    i ->
                        Request.builder("a" + i, "batch")
                            .demand(BagScenario.CORE)
                            .job("a")
                            .antiAffinity(true)
                            .estimatedRunTime(TASK)
                            .build())
                .toList()),
        now);
    pass();
    allUp(4);

    assertThat(pass().placements())
        .extracting(Action.Place::host)
        .hasSize(4)
        .doesNotHaveDuplicates();
  }

  @Test
  void fewerHostsExtendTheTimeToLive() {
    offer(4, 1);
    IntStream.range(0, 3).forEach(i -> single("r" + i, 1));
    pass();
    allUp(1);
    submit("a", 1, 1, 1, 1);
    assertThat(pass().actions(Action.Provision.class).get(0).hosts()).hasSize(1);

    assertThat(expiry("a").orElseThrow()).isGreaterThanOrEqualTo(now + (10 + 4 * 104) * SECOND);
  }

  @Test
  void fewerHostsExtendTheTimeToLiveOnElasticSite() {
    scheduler = scheduler(ElasticPolicies.ELASTIC_SITE);
    offer(4, 1);
    IntStream.range(0, 3).forEach(i -> single("r" + i, 1));
    pass();
    allUp(1);
    submit("a", 1, 1, 1, 1);
    pass();

    assertThat(expiry("a").orElseThrow()).isGreaterThanOrEqualTo(now + (10 + 4 * 104) * SECOND);
  }

  @Test
  void replacesFailedHostsBeforeServingLaterBags() {
    offer(4, 1);
    submit("a", 1, 1, 1, 1);
    pass();
    allUp(1);
    pass();
    scheduler.hosts().forEach(each -> scheduler.removeHost(each.id(), now));
    submit("b", 1, 1, 1, 1);

    assertThat(pass().actions(Action.Provision.class))
        .extracting(each -> each.cluster().orElse(""))
        .containsExactly("a@1");
  }

  @Test
  void smallerOfferKeepsHostsInUse() {
    offer(4, 1);
    submit("a", 1, 1, 1, 1);
    pass();
    allUp(1);
    offer(1, 1);

    assertThat(pass().placements()).hasSize(4);
  }

  /** A request for a whole host must not fill the pool with smaller, unused hosts. */
  @Test
  void releasesHostsSmallerThanOffered() {
    offer(4, 2);
    single("r", 2);
    for (int i = 0; i < 20; i++) {
      Plan plan = pass();
      allUp(1);
      plan.actions(Action.Release.class).forEach(each -> scheduler.removeHost(each.host(), now));
      assertThat(scheduler.hosts()).hasSizeLessThanOrEqualTo(1);
    }
    for (int i = 0; i < 3; i++) {
      pass();
      allUp(2);
    }

    assertThat(scheduler.instance("r").orElseThrow().host()).isPresent();
  }

  @Test
  void acceptsVeryLongProvisioningTimes() {
    offer(4, 1, Duration.ofSeconds(Long.MAX_VALUE));
    submit("a", 1);

    assertThat(pass().actions(Action.Provision.class)).hasSize(1);
  }

  @Test
  void deferralNamesThePoolOnElasticSite() {
    scheduler = scheduler(ElasticPolicies.ELASTIC_SITE);
    offer(4, 1);
    single("r", 1);
    pass();
    now += SECOND;
    scheduler.removeHost("vm-1", now);
    submit("a", 1);
    submit("b", 1);

    assertThat(pass().bagDeferrals().values())
        .extracting(Reason::code)
        .containsExactlyInAnyOrder("pool-fails", "one-at-a-time");
  }
}
