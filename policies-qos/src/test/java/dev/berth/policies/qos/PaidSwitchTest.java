package dev.berth.policies.qos;

import static dev.berth.testkit.TestCluster.cpu;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code qos-hysteresis} through the whole engine, on cases small enough to check by hand. */
class PaidSwitchTest {

  private static final Resources SLOT = cpu(1);

  /** A switch of two bronze instances (0.5) costs 0.5 · 1 s / 0.02 = 25 s. */
  private static final String PRICED = "\"expectedOverhead\": \"1s\", \"restartShare\": 0.02";

  private static TestCluster cluster(String settings) {
    return TestCluster.withPolicy("qos-hysteresis", "{" + settings + "}").host("h", cpu(1));
  }

  private static String whyPending(TestCluster cluster, String id) {
    return cluster.scheduler().explain().whyPending(id, cluster.now()).describe();
  }

  private static List<String> preempted(TestCluster cluster) {
    return cluster.pass().preemptions().stream().map(Action.Preempt::instance).toList();
  }

  /** One gains a second in a second, the other loses one. */
  @Test
  void preemptsWhenTheGainExceedsThePrice() {
    TestCluster cluster =
        cluster(PRICED).running("ahead", "bronze", SLOT, "h").pending("waiting", "bronze", SLOT);

    assertThat(preempted(cluster.at(Duration.ofMillis(12_500)))).isEmpty();
    assertThat(preempted(cluster.at(Duration.ofMillis(12_501)))).containsExactly("ahead");
  }

  @Test
  void saysWhatASwitchWouldGainAndCost() {
    TestCluster cluster =
        cluster(PRICED).running("ahead", "bronze", SLOT, "h").pending("waiting", "bronze", SLOT);

    assertThat(whyPending(cluster.at(ofSeconds(4)), "waiting"))
        .contains("would gain 8.0 s, a switch costs 25 s");
  }

  @Test
  void theMoreImportantDoesNotPayWithinItsMargin() {
    TestCluster cluster =
        cluster(PRICED).running("ahead", "bronze", SLOT, "h").pending("waiting", "silver", SLOT);

    assertThat(preempted(cluster.at(Duration.ofMillis(100)))).containsExactly("ahead");
  }

  /** Without an expected overhead, the first switch is free, and the next costs what it took. */
  @Test
  void learnsThePriceFromRestarts() {
    TestCluster cluster =
        cluster("\"restartShare\": 0.02")
            .running("a", "bronze", SLOT, "h")
            .pending("b", "bronze", SLOT);
    assertThat(preempted(cluster.at(ofSeconds(1)))).containsExactly("a");

    cluster.ready("b");
    assertThat(preempted(cluster.at(ofSeconds(5)))).containsExactly("b");
    cluster.at(ofSeconds(6)).ready("a"); // took 1 s
    assertThat(preempted(cluster.at(ofSeconds(10)))).containsExactly("a");
    cluster.ready("b");

    // a has 0 s and loses 1 s in each second; b has -2 s and gains 1 s. a pays 25 s.
    assertThat(preempted(cluster.at(ofSeconds(23)))).isEmpty();
    assertThat(preempted(cluster.at(ofSeconds(24)))).containsExactly("b");
  }

  /** A unit of 8 ns, because an objective is low. */
  @Test
  void pricesAreExactInLargerUnits() {
    ServiceClass low = ServiceClass.builder("low").slo(0.1).importance(1).build();
    TestCluster cluster =
        TestCluster.withPolicy(
                Scheduler.builder().serviceClasses(low), "qos-hysteresis", "{" + PRICED + "}")
            .host("h", cpu(1))
            .running("ahead", "low", SLOT, "h")
            .pending("waiting", "low", SLOT);

    // 45 s; one gains 9 s in a second, the other loses 1 s
    assertThat(preempted(cluster.at(Duration.ofMillis(4_499)))).isEmpty();
    assertThat(preempted(cluster.at(Duration.ofMillis(4_501)))).containsExactly("ahead");
  }
}
