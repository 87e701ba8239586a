package dev.berth.policies.qos;

import static dev.berth.testkit.TestCluster.cpu;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.ConfigException;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The two policies through the whole engine, on cases small enough to check by hand. */
class QosPoliciesTest {

  private static final Resources SLOT = cpu(1);

  private final TestCluster qosDriven = TestCluster.withPolicy("qos-driven");
  private final TestCluster priority = TestCluster.withPolicy("priority");

  private static String whyPending(TestCluster cluster, String id) {
    return cluster.scheduler().explain().whyPending(id, cluster.now()).describe();
  }

  @Test
  void preemptsAnInstanceAheadOfItsObjective() {
    qosDriven
        .host("h", cpu(1))
        .running("ahead", "bronze", SLOT, "h")
        .at(ofSeconds(15))
        .pending("waiting", "bronze", SLOT);
    assertThat(qosDriven.pass().actions())
        .containsExactly(
            new Action.Preempt("ahead", "h", "waiting"),
            new Action.Place("waiting", "h", List.of("ahead")));
    assertThat(qosDriven.instance("ahead")).isPending();
    assertThat(qosDriven.scheduler().explain().whyPreempted("ahead").orElseThrow().describe())
        .isEqualTo(
            "ahead was preempted at 15s, in pass 2, for waiting on h: ahead of its objective, and further than the"
                + " beneficiary; no host had room, and of those with eligible victims this one was"
                + " cheapest");
  }

  @Test
  void withinTheirMarginsOnlyTheMoreImportantPreempts() {
    qosDriven
        .host("h", cpu(1))
        .running("s", "silver", SLOT, "h")
        .pending("b", "bronze", SLOT)
        .at(ofSeconds(1));
    assertThat(qosDriven.pass()).isEmpty();
    assertThat(whyPending(qosDriven, "b"))
        .isEqualTo(
            "0 of 1 hosts: 1 full (cpu short by 1), 1 with no eligible victim (1 within margin and"
                + " more important)");
    qosDriven.pending("g", "gold", SLOT);
    assertThat(qosDriven.pass()).preemptsExactly("s").preempts("s").on("h").inFavourOf("g");
  }

  @Test
  void sparesTheMostImportantVictim() {
    // Each host has an instance below its margin; the host with the bronze instance is cheaper.
    qosDriven
        .host("h1", cpu(1))
        .host("h2", cpu(1))
        .running("s", "silver", SLOT, "h1")
        .running("b", "bronze", SLOT, "h2")
        .at(ofSeconds(1))
        .pending("g", "gold", SLOT);
    assertThat(qosDriven.pass()).preemptsExactly("b");
  }

  @Test
  void printedFormulaPrefersTheHostWithTheViolatingVictim() {
    for (String reading : List.of("slack-sums", "as-printed")) {
      TestCluster cluster =
          TestCluster.withPolicy("qos-driven", "{\"preemptionCost\": \"%s\"}".formatted(reading))
              .host("h1", cpu(1))
              .host("h2", cpu(1))
              .running("rich", "bronze", SLOT, "h1")
              .at(ofSeconds(100))
              .running("poor", "bronze", SLOT, "h2")
              .at(ofSeconds(105))
              .pending("g", "gold", SLOT)
              .at(ofSeconds(106));
      assertThat(cluster.pass())
          .as(reading)
          .preemptsExactly(reading.equals("slack-sums") ? "rich" : "poor");
    }
  }

  @Test
  void printedFormulaMakesAVictimWithoutSlackTheMostExpensive() {
    TestCluster cluster =
        TestCluster.withPolicy("qos-driven", "{\"preemptionCost\": \"as-printed\"}")
            .host("h1", cpu(1))
            .host("h2", cpu(1))
            .at(ofSeconds(50))
            .running("ahead", "bronze", SLOT, "h1")
            .at(ofSeconds(90))
            .running("exact", "bronze", SLOT, "h2")
            .at(ofSeconds(100))
            .pending("g", "gold", SLOT);
    // Q of exact is 10 s, its margin: 1 / 0. Q of ahead is 50 s: 1 / 40 s.
    assertThat(cluster.pass()).preemptsExactly("ahead");
  }

  @Test
  void restartsBeyondTheLimitProtectFromTheOwnClass() {
    ServiceClass only =
        ServiceClass.builder("only")
            .slo(0.5)
            .safetyMargin(Duration.ZERO)
            .preemptionOverheadLimit(0.1)
            .build();
    TestCluster cluster =
        TestCluster.withPolicy(Scheduler.builder().serviceClasses(only), "qos-driven", "{}")
            .host("h", cpu(1))
            .running("a", "only", SLOT, "h")
            .at(ofSeconds(100))
            .pending("b", "only", SLOT);
    assertThat(cluster.pass()).places("b").preempting("a");
    assertThat(cluster.ready("b").instance("a")).wasPreempted(1);
    // a comes back in place of b and takes 60 s to start.
    assertThat(cluster.at(ofMinutes(5)).pass()).places("a").preempting("b");
    cluster.at(ofMinutes(6)).ready("a");
    // e = 100 s + 300 s, S = 60 s: C = 60 / 460 = 0.13 > 0.1
    assertThat(cluster.at(ofMinutes(11)).pass()).isEmpty();
    assertThat(whyPending(cluster, "b")).contains("1 over their preemption-overhead limit");
    // e = 100 s + 500 s: C = 60 / 660 = 0.09
    assertThat(cluster.at(ofSeconds(860)).pass())
        .preemptsExactly("a")
        .preempts("a")
        .on("h")
        .inFavourOf("b");
  }

  @Test
  void priorityServesByImportanceThenAdmission() {
    priority
        .pending("b", "bronze", SLOT)
        .after(ofNanos(1))
        .pending("s2", "silver", SLOT)
        .after(ofNanos(1))
        .pending("s1", "silver", SLOT)
        .after(ofNanos(1))
        .pending("g", "gold", SLOT)
        .after(ofNanos(1))
        .host("h", cpu(4));
    assertThat(priority.pass()).placesExactly("g", "s2", "s1", "b");
  }

  @Test
  void priorityPreemptsTheLatestOfTheLeastImportantButNoEqual() {
    priority
        .host("h", cpu(3))
        .running("s", "silver", SLOT, "h")
        .after(ofNanos(1))
        .running("b1", "bronze", SLOT, "h")
        .after(ofNanos(1))
        .running("b2", "bronze", SLOT, "h")
        .after(ofNanos(1))
        .pending("g1", "gold", SLOT)
        .pending("b3", "bronze", SLOT)
        .at(ofSeconds(1000));
    assertThat(priority.pass()).preemptsExactly("b2").preempts("b2").on("h").inFavourOf("g1");
    priority
        .ready("g1")
        .pending("g2", "gold", SLOT)
        .pending("g3", "gold", SLOT)
        .pending("g4", "gold", SLOT);
    assertThat(priority.pass()).preemptsExactly("b1", "s");
    assertThat(whyPending(priority, "g4"))
        .contains("1 with no eligible victim (1 of no lower priority)");
  }

  @Test
  void startingInstancesAreVictimsOnlyIfConfigured() {
    for (String policy : List.of("qos-driven", "priority")) {
      for (boolean allowed : List.of(true, false)) {
        TestCluster cluster =
            TestCluster.withPolicy(policy, "{\"preemptStarting\": %s}".formatted(allowed))
                .host("h", cpu(1))
                .starting("b", "bronze", SLOT, "h")
                .at(ofSeconds(1))
                .pending("g", "gold", SLOT)
                .at(ofSeconds(2));
        assertThat(cluster.pass().preemptions()).as(policy).hasSize(allowed ? 1 : 0);
      }
    }
  }

  @Test
  void effectiveConfigurationHasEverySetting() {
    assertThat(
            TestCluster.withPolicy("qos-driven", "{\"expectedOverhead\": \"2.37s\"}")
                .scheduler()
                .policyConfig())
        .hasToString(
            "{\"watchdog\":\"10s\",\"expectedOverhead\":\"2.37s\",\"queue\":\"by-metric\","
                + "\"allocationScore\":{\"leastRequested\":1.0,\"balancedAllocation\":1.0},\"preemptionCost\":"
                + "\"slack-sums\",\"minimizeVictims\":true,\"preemptStarting\":false,"
                + "\"maxPreemptions\":-1}");
    assertThat(TestCluster.withPolicy("priority", "{\"watchdog\": \"1m\"}").scheduler().watchdog())
        .isEqualTo(Optional.of(Duration.ofMinutes(1)));
  }

  @Test
  void explainsThatVictimsAreAtTheirLimitOfPreemptions() {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("qos-driven", "{\"maxPreemptions\": 0}")
            .serviceClasses(ServiceClass.builder("bronze").slo(0.5).build())
            .build();
    Resources whole = Resources.of(Dimension.CPU, 1);
    long later = Duration.ofMinutes(5).toNanos();
    scheduler.addHost(new HostSpec("h", whole), 0);
    scheduler.submit(Request.builder("ahead", "bronze").demand(whole).build(), 0);
    scheduler.schedule(0);
    scheduler.started("ahead", 0);
    scheduler.submit(Request.builder("waits", "bronze").demand(whole).build(), later);

    assertThat(scheduler.schedule(later).actions()).isEmpty();
    assertThat(scheduler.explain().whyPending("waits", later).describe())
        .endsWith("1 with no eligible victim (1 at their limit of preemptions)");
  }

  @Test
  void refusesFewerPreemptionsThanNoLimit() {
    assertThatThrownBy(() -> TestCluster.withPolicy("qos-driven", "{\"maxPreemptions\": -2}"))
        .hasMessageContaining("maxPreemptions was -2, must be 0 or more, or -1 for no limit");
  }

  @Test
  void reportsAllConfigurationProblemsTogether() {
    String config =
        """
        {"watchdog": "0s", "expectedOverhed": "1s", "preemptionCost": "cheap",
         "allocationScore": {"leastRequested": -1}, "minimizeVictims": 1}
        """;
    assertThatThrownBy(() -> TestCluster.withPolicy("qos-driven", config))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("config.watchdog was \"0s\", must be positive.")
        .hasMessageContaining("Maybe you meant expectedOverhead.")
        .hasMessageContaining(
            "config.preemptionCost was \"cheap\", must be one of slack-sums, as-printed, one-sum.")
        .hasMessageContaining("config.allocationScore.leastRequested was -1")
        .hasMessageContaining("config.minimizeVictims was 1, must be true or false.")
        .satisfies(refused -> assertThat(((ConfigException) refused).problems()).hasSize(5));
  }

  @Test
  void bothAreFoundByServiceLoader() {
    assertThat(PolicyRegistry.load().ids()).contains("priority", "qos-driven");
  }
}
