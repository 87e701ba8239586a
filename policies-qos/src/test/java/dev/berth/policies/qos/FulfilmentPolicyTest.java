package dev.berth.policies.qos;

import static dev.berth.testkit.TestCluster.cpu;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** {@code "overload": "fulfilment"}, on cases small enough to check by hand. */
class FulfilmentPolicyTest {

  private static final String SETTINGS =
      "{\"overload\": \"fulfilment\", \"expectedOverhead\": \"1s\", \"restartShare\": 0.1}";

  private final TestCluster cluster = TestCluster.withPolicy("qos-hysteresis", SETTINGS);

  private static List<String> placed(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  /** 90 % of 10 cores keep 18 bronze instances of one core, but not a nineteenth. */
  @Test
  void keepsAsManyAsTheCapacityAllows() {
    cluster.host("h", cpu(10));
    for (int i = 1; i <= 19; i++) {
      cluster.pending("b%02d".formatted(i), "bronze", cpu(1));
    }

    Plan plan = cluster.at(ofSeconds(1)).pass();

    assertThat(placed(plan)).hasSize(10).doesNotContain("b19");
    assertThat(plan.deferrals()).containsOnlyKeys("b19");
    assertThat(plan.deferrals().get("b19").code()).isEqualTo("shed");
    assertThat(cluster.scheduler().explain().whyPending("b19", cluster.now()).describe())
        .contains("the objectives ask for more than there is, and this one is not kept");
  }

  /** 90 % of the 5 cores that are left keep 9 bronze instances of one core, but not a tenth. */
  @Test
  void foreignLoadIsNoCapacity() {
    cluster.host("h", cpu(10)).scheduler().foreignLoad("h", cpu(5), cluster.now());
    for (int i = 1; i <= 10; i++) {
      cluster.pending("b%02d".formatted(i), "bronze", cpu(1));
    }

    assertThat(cluster.at(ofSeconds(1)).pass().deferrals()).containsOnlyKeys("b10");
  }

  /** 90 % of the 4 cores that are held there and of the other one: half a core for bronze. */
  @Test
  void closedHostHasOnlyWhatItsInstancesHold() {
    cluster.host("closed", cpu(10)).host("open", cpu(1));
    for (int i = 1; i <= 4; i++) {
      cluster.running("gold" + i, "gold", cpu(1), "closed");
    }
    cluster.scheduler().cordon("closed", cluster.now());
    cluster.pending("a", "bronze", cpu(1)).pending("b", "bronze", cpu(1));

    Plan plan = cluster.at(ofSeconds(1)).pass();

    assertThat(placed(plan)).containsExactly("a");
    assertThat(plan.deferrals()).containsOnlyKeys("b");
  }

  @Test
  void keepsTheMoreImportantFirst() {
    cluster.host("h", cpu(1));
    cluster
        .pending("bronze", "bronze", cpu(1))
        .at(ofSeconds(5))
        .pending("silver", "silver", cpu(1));

    assertThat(placed(cluster.pass())).containsExactly("silver");
  }

  /** Gold and the large bronze instance are kept; the small one uses the room between them. */
  @Test
  void guestsUseWhatIsLeftAndGiveWay() {
    cluster.host("h", cpu(4)).running("gold", "gold", cpu(2.5), "h");
    cluster.pending("large", "bronze", cpu(2)).at(ofSeconds(1)).pending("guest", "bronze", cpu(1));
    Plan plan = cluster.pass();
    assertThat(placed(plan)).containsExactly("guest");
    assertThat(plan.deferrals()).isEmpty();
    cluster.ready("guest").at(ofSeconds(2)).pending("newcomer", "gold", cpu(1));

    assertThat(cluster.pass().preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("guest");
  }

  /** The place of one that ends is for the first that was shed. */
  @Test
  void theFirstShedIsTheFirstToBeKeptAgain() {
    cluster.host("h", cpu(1));
    cluster.running("silver", "silver", cpu(1), "h");
    cluster.pending("b1", "bronze", cpu(1)).at(ofSeconds(1)).pending("b2", "bronze", cpu(1));
    assertThat(cluster.pass().deferrals()).containsOnlyKeys("b1", "b2");

    cluster.at(ofSeconds(2)).completed("silver");

    Plan plan = cluster.pass();
    assertThat(placed(plan)).containsExactly("b1");
    assertThat(plan.deferrals()).containsOnlyKeys("b2");
  }

  private static List<String> preempted(Plan plan) {
    return plan.preemptions().stream().map(Action.Preempt::instance).toList();
  }

  /** Gold, "old" and "large" are kept; "guest" has what "large" cannot use. */
  private void guestBesideOlder() {
    cluster.host("h", cpu(4)).running("gold", "gold", cpu(2.5), "h");
    cluster.running("old", "bronze", cpu(0.5), "h").at(ofSeconds(1));
    cluster.pending("large", "bronze", cpu(1.6)).at(ofSeconds(2));
    cluster.pending("guest", "bronze", cpu(0.5));
    assertThat(placed(cluster.pass())).containsExactly("guest");
    cluster.ready("guest").at(ofSeconds(3));
  }

  /** Although another is further ahead. */
  @Test
  void guestsArePreemptedFirst() {
    guestBesideOlder();
    cluster.pending("newcomer", "silver", cpu(0.6));

    assertThat(preempted(cluster.pass())).containsExactly("guest");
  }

  /** A former guest that is placed because it is kept is none. */
  @Test
  void oneThatIsKeptIsNoGuest() {
    guestBesideOlder();
    cluster.pending("newcomer", "silver", cpu(0.6));
    assertThat(preempted(cluster.pass())).containsExactly("guest");
    cluster.cancel("large");
    cluster.at(ofSeconds(4)).cancel("newcomer");
    assertThat(placed(cluster.pass())).containsExactly("guest");
    cluster.ready("guest").at(ofSeconds(5)).pending("other", "silver", cpu(0.6));

    assertThat(preempted(cluster.pass())).containsExactly("old");
  }

  /** "old" and "young" were kept when they were placed, so the one further ahead gives way. */
  @Test
  void whatAnInstanceWasWhenItWasPlacedDecides() {
    cluster.host("h", cpu(4)).running("old", "bronze", cpu(2), "h");
    cluster.at(ofSeconds(5)).running("young", "bronze", cpu(2), "h");
    cluster.at(ofSeconds(10)).pending("newcomer", "gold", cpu(2));

    assertThat(preempted(cluster.pass())).containsExactly("old");
  }

  /** "young" is shed while it starts, and is no guest when it is ready. */
  @Test
  void startingInstanceThatIsShedIsNoGuest() {
    cluster.host("h", cpu(6)).running("old", "bronze", cpu(2), "h");
    cluster.at(ofSeconds(5)).running("other", "bronze", cpu(2), "h");
    cluster.starting("young", "bronze", cpu(2), "h").at(ofSeconds(6));
    cluster.submit(
        Request.builder("impossible", "gold")
            .demand(cpu(4))
            .constraint(new Constraint.Equal("zone", "none"))
            .build());
    assertThat(cluster.pass().isEmpty()).isTrue();
    cluster.ready("young").at(ofSeconds(7)).cancel("impossible");
    cluster.at(ofSeconds(10)).pending("newcomer", "gold", cpu(2));

    assertThat(preempted(cluster.pass())).containsExactly("old");
  }

  /** "waiting" is shed while "impossible" is there, and later preempts as one that is kept. */
  @Test
  void oneThatWasShedIsKeptAgain() {
    cluster.host("h", cpu(2)).running("runs", "bronze", cpu(2), "h");
    cluster.submit(
        Request.builder("impossible", "silver")
            .demand(cpu(2))
            .constraint(new Constraint.Equal("zone", "none"))
            .build());
    cluster.pending("waiting", "bronze", cpu(1)).at(ofSeconds(1));
    assertThat(cluster.pass().deferrals()).containsOnlyKeys("waiting");
    cluster.at(ofSeconds(2)).cancel("impossible");
    assertThat(cluster.pass().isEmpty()).isTrue();

    assertThat(preempted(cluster.at(ofSeconds(20)).pass())).containsExactly("runs");
  }

  /** With an aim of 0.6 a gap of 5 s opens at 1 / 0.6 a second. */
  @Test
  void thoseThatAreKeptAimAboveTheirObjective() {
    cluster.host("h", cpu(2)).running("a", "bronze", cpu(1), "h");
    cluster.running("b", "bronze", cpu(1), "h").pending("waiting", "bronze", cpu(1));

    assertThat(cluster.at(Duration.ofMillis(2_990)).pass().isEmpty()).isTrue();
    assertThat(preempted(cluster.at(Duration.ofMillis(3_010)).pass())).hasSize(1);
  }

  /** Ties among hosts are broken by seed, and a guest may use all that a host has left. */
  @Test
  void guestsFillAnyHost() {
    Set<String> chosen = new TreeSet<>();
    for (long seed = 1; seed <= 8; seed++) {
      TestCluster hosts =
          TestCluster.withPolicy(
              Scheduler.builder().seed(seed).serviceClasses(TestCluster.GOLD, TestCluster.BRONZE),
              "qos-hysteresis",
              SETTINGS);
      for (int i = 1; i <= 3; i++) {
        hosts.host("h" + i, cpu(2)).running("gold" + i, "gold", cpu(1.8), "h" + i);
      }
      Plan plan = hosts.pending("guest", "bronze", cpu(0.2)).at(ofSeconds(1)).pass();
      assertThat(placed(plan)).containsExactly("guest");
      chosen.add(plan.placements().get(0).host());
    }
    assertThat(chosen).hasSize(3);
  }

  @Test
  void hasTheWatchdogOfItsSettings() {
    assertThat(cluster.scheduler().watchdog()).contains(ofSeconds(10));
  }
}
