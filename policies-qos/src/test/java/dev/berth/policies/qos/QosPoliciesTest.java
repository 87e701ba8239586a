package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.ConfigException;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The two policies through the whole engine, on cases small enough to check by hand. */
class QosPoliciesTest {

  private static final long SECOND = 1_000_000_000L;

  private final ServiceClass gold = serviceClass("gold", 1.0, 1);
  private final ServiceClass silver = serviceClass("silver", 0.9, 2);
  private final ServiceClass bronze = serviceClass("bronze", 0.5, 3);

  private static ServiceClass serviceClass(String name, double slo, int importance) {
    return ServiceClass.builder(name).slo(slo).importance(importance).build();
  }

  private Scheduler scheduler(String policy, String config) {
    return Scheduler.builder()
        .policy(policy, config)
        .serviceClasses(gold, silver, bronze)
        .seed(1)
        .build();
  }

  private static void host(Scheduler scheduler, String id, long slots) {
    scheduler.addHost(new HostSpec(id, Resources.of(Dimension.CPU, slots)), 0);
  }

  private static void submit(Scheduler scheduler, String id, String serviceClass, long at) {
    scheduler.submit(
        Request.builder(id, serviceClass).demand(Resources.of(Dimension.CPU, 1)).build(), at);
  }

  private static void run(Scheduler scheduler, long at) {
    for (Action.Place place : scheduler.schedule(at).placements()) {
      scheduler.started(place.instance(), at);
    }
  }

  @Test
  void anInstanceAheadOfItsObjectiveLeavesForOneAboutToMissIt() {
    Scheduler scheduler = scheduler("qos-driven", "{}");
    host(scheduler, "h", 1);
    submit(scheduler, "ahead", "bronze", 0);
    run(scheduler, 0);
    submit(scheduler, "waiting", "bronze", 15 * SECOND);
    Plan plan = scheduler.schedule(15 * SECOND);
    assertThat(plan.actions())
        .containsExactly(
            new Action.Preempt("ahead", "h", "waiting"),
            new Action.Place("waiting", "h", List.of("ahead")));
    assertThat(scheduler.instance("ahead").orElseThrow().state()).isEqualTo(InstanceState.PENDING);
    assertThat(scheduler.explain().whyPreempted("ahead").orElseThrow().describe())
        .isEqualTo(
            "ahead left h at 15s, in pass 2, for waiting: ahead of its objective, further than who"
                + " needs its place; no host had room, and of the 1 with eligible victims this one"
                + " was cheapest");
  }

  @Test
  void withinTheirMarginsOnlyTheMoreImportantPreempts() {
    Scheduler scheduler = scheduler("qos-driven", "{}");
    host(scheduler, "h", 1);
    submit(scheduler, "s", "silver", 0);
    run(scheduler, 0);
    submit(scheduler, "b", "bronze", 0);
    assertThat(scheduler.schedule(SECOND).actions()).isEmpty();
    assertThat(scheduler.explain().whyPending("b", SECOND).describe())
        .isEqualTo(
            "0 of 1 hosts: 1 full (cpu short by 0.000000001), 1 with no eligible victim (1 within"
                + " margin and more important)");
    submit(scheduler, "g", "gold", SECOND);
    assertThat(scheduler.schedule(SECOND).preemptions())
        .containsExactly(new Action.Preempt("s", "h", "g"));
  }

  @Test
  void theMostImportantOfTheCheapestVictimsStays() {
    // On each host somebody is below the margin; the host with the bronze one is cheaper.
    Scheduler scheduler = scheduler("qos-driven", "{}");
    host(scheduler, "h1", 1);
    host(scheduler, "h2", 1);
    submit(scheduler, "s", "silver", 0);
    run(scheduler, 0);
    submit(scheduler, "b", "bronze", 0);
    run(scheduler, 0);
    submit(scheduler, "g", "gold", SECOND);
    assertThat(scheduler.schedule(SECOND).preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("b");
  }

  @Test
  void readAsPrintedTheCostPrefersTheHostWithTheViolatingVictim() {
    for (String reading : List.of("slack-sums", "as-printed")) {
      Scheduler scheduler =
          scheduler("qos-driven", "{\"preemptionCost\": \"%s\"}".formatted(reading));
      host(scheduler, "h1", 1);
      host(scheduler, "h2", 1);
      submit(scheduler, "rich", "bronze", 0);
      run(scheduler, 0);
      submit(scheduler, "poor", "bronze", 100 * SECOND);
      run(scheduler, 100 * SECOND);
      submit(scheduler, "g", "gold", 105 * SECOND);
      assertThat(scheduler.schedule(106 * SECOND).preemptions())
          .as(reading)
          .extracting(Action.Preempt::instance)
          .containsExactly(reading.equals("slack-sums") ? "rich" : "poor");
    }
  }

  @Test
  void readAsPrintedAVictimWithoutAnySlackIsTheDearest() {
    Scheduler scheduler = scheduler("qos-driven", "{\"preemptionCost\": \"as-printed\"}");
    host(scheduler, "h1", 1);
    host(scheduler, "h2", 1);
    submit(scheduler, "ahead", "bronze", 50 * SECOND);
    run(scheduler, 50 * SECOND);
    submit(scheduler, "exact", "bronze", 90 * SECOND);
    run(scheduler, 90 * SECOND);
    submit(scheduler, "g", "gold", 100 * SECOND);
    // Q of exact is 10 s, its margin: 1 / 0. Q of ahead is 50 s: 1 / 40 s.
    assertThat(scheduler.schedule(100 * SECOND).preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("ahead");
  }

  @Test
  void restartsBeyondTheLimitProtectFromTheOwnClass() {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("qos-driven")
            .serviceClasses(
                ServiceClass.builder("only")
                    .slo(0.5)
                    .safetyMargin(Duration.ZERO)
                    .preemptionOverheadLimit(0.1)
                    .build())
            .build();
    host(scheduler, "h", 1);
    submit(scheduler, "a", "only", 0);
    run(scheduler, 0);
    submit(scheduler, "b", "only", 100 * SECOND);
    run(scheduler, 100 * SECOND);
    assertThat(scheduler.instance("a").orElseThrow().preemptions()).isEqualTo(1);
    scheduler.schedule(300 * SECOND); // a comes back in place of b and takes 60 s to start
    scheduler.started("a", 360 * SECOND);
    // e = 100 s + 300 s, S = 60 s: C = 60 / 460 = 0.13 > 0.1
    assertThat(scheduler.schedule(660 * SECOND).actions()).isEmpty();
    assertThat(scheduler.explain().whyPending("b", 660 * SECOND).describe())
        .contains("1 over their preemption-overhead limit");
    // e = 100 s + 500 s: C = 60 / 660 = 0.09
    assertThat(scheduler.schedule(860 * SECOND).preemptions())
        .containsExactly(new Action.Preempt("a", "h", "b"));
  }

  @Test
  void priorityServesByImportanceThenAdmission() {
    Scheduler scheduler = scheduler("priority", "{}");
    submit(scheduler, "b", "bronze", 0);
    submit(scheduler, "s2", "silver", 1);
    submit(scheduler, "s1", "silver", 2);
    submit(scheduler, "g", "gold", 3);
    scheduler.addHost(new HostSpec("h", Resources.of(Dimension.CPU, 4)), 4);
    assertThat(scheduler.schedule(4).placements())
        .extracting(Action.Place::instance)
        .containsExactly("g", "s2", "s1", "b");
  }

  @Test
  void priorityTakesTheLatestOfTheLeastImportantAndNeverAnEqual() {
    Scheduler scheduler = scheduler("priority", "{}");
    host(scheduler, "h", 3);
    submit(scheduler, "s", "silver", 0);
    submit(scheduler, "b1", "bronze", 1);
    submit(scheduler, "b2", "bronze", 2);
    run(scheduler, 2);
    submit(scheduler, "g1", "gold", 3);
    submit(scheduler, "b3", "bronze", 3);
    Plan plan = scheduler.schedule(1000 * SECOND);
    assertThat(plan.preemptions()).containsExactly(new Action.Preempt("b2", "h", "g1"));
    scheduler.started("g1", 1000 * SECOND);
    submit(scheduler, "g2", "gold", 1000 * SECOND);
    submit(scheduler, "g3", "gold", 1000 * SECOND);
    submit(scheduler, "g4", "gold", 1000 * SECOND);
    assertThat(scheduler.schedule(1000 * SECOND).preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("b1", "s");
    assertThat(scheduler.explain().whyPending("g4", 1000 * SECOND).describe())
        .contains("1 with no eligible victim (1 of no lower priority)");
  }

  @Test
  void startingInstancesAreVictimsOnlyIfTheConfigurationSaysSo() {
    for (String policy : List.of("qos-driven", "priority")) {
      for (boolean allowed : List.of(true, false)) {
        Scheduler scheduler = scheduler(policy, "{\"preemptStarting\": %s}".formatted(allowed));
        host(scheduler, "h", 1);
        submit(scheduler, "b", "bronze", 0);
        scheduler.schedule(0);
        submit(scheduler, "g", "gold", SECOND);
        assertThat(scheduler.schedule(2 * SECOND).preemptions()).hasSize(allowed ? 1 : 0);
      }
    }
  }

  @Test
  void everyKnobIsInTheEffectiveConfiguration() {
    assertThat(scheduler("qos-driven", "{\"expectedOverhead\": \"2.37s\"}").policyConfig())
        .hasToString(
            "{\"watchdog\":\"10s\",\"expectedOverhead\":\"2.37s\",\"allocationScore\":"
                + "{\"leastRequested\":1.0,\"balancedAllocation\":1.0},\"preemptionCost\":"
                + "\"slack-sums\",\"spareUnneeded\":true,\"preemptStarting\":false}");
    assertThat(scheduler("priority", "{\"watchdog\": \"1m\"}").watchdog())
        .isEqualTo(Optional.of(Duration.ofMinutes(1)));
  }

  @Test
  void everythingWrongWithAConfigurationIsReportedTogether() {
    String config =
        """
        {"watchdog": "0s", "expectedOverhed": "1s", "preemptionCost": "cheap",
         "allocationScore": {"leastRequested": -1}, "spareUnneeded": 1}
        """;
    assertThatThrownBy(() -> scheduler("qos-driven", config))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("config.watchdog was \"0s\", watchdog must be positive.")
        .hasMessageContaining("Maybe you meant expectedOverhead.")
        .hasMessageContaining(
            "config.preemptionCost was \"cheap\", must be one of slack-sums, as-printed.")
        .hasMessageContaining("config.allocationScore.leastRequested was -1")
        .hasMessageContaining("config.spareUnneeded was 1, must be true or false.")
        .satisfies(refused -> assertThat(((ConfigException) refused).problems()).hasSize(5));
  }

  @Test
  void bothAreFoundByServiceLoader() {
    assertThat(PolicyRegistry.load().ids()).contains("priority", "qos-driven");
  }
}
