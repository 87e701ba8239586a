package dev.berth.core;

import static dev.berth.api.plan.Trigger.EMBEDDER;
import static dev.berth.api.plan.Trigger.HOST_ADDED;
import static dev.berth.api.plan.Trigger.HOST_REMOVED;
import static dev.berth.api.plan.Trigger.INSTANCE_COMPLETED;
import static dev.berth.api.plan.Trigger.INSTANCE_FAILED;
import static dev.berth.api.plan.Trigger.REQUEST_ADMITTED;
import static dev.berth.api.plan.Trigger.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When and why a pass is due, and what the policy sees of it. */
class PassTriggerTest {

  private final Cluster cluster = Cluster.byHand();

  @Test
  void passWithoutEventsIsTriggeredByTheEmbedder() {
    assertThat(cluster.pass().triggers()).containsExactly(EMBEDDER);
  }

  @Test
  void everyEventExceptStartedTriggersAPass() {
    assertThat(cluster.host("h1", 2).pass().triggers()).containsExactly(HOST_ADDED);
    assertThat(cluster.pending("a", 1).pending("b", 1).pass().triggers())
        .containsExactly(REQUEST_ADMITTED);
    cluster.place("a", "h1").place("b", "h1");
    assertThat(cluster.started("a").pass().triggers()).containsExactly(EMBEDDER);
    assertThat(cluster.failed("b").pass().triggers()).containsExactly(INSTANCE_FAILED);
    cluster.completed("a");
    assertThat(cluster.pass().triggers()).containsExactly(INSTANCE_COMPLETED);
    cluster.cancel("b");
    assertThat(cluster.pass().triggers()).containsExactly(INSTANCE_COMPLETED);
    assertThat(cluster.removed("h1").pass().triggers()).containsExactly(HOST_REMOVED);
  }

  @Test
  void severalEventsTriggerOnePass() {
    Plan plan = cluster.host("h1", 2).pending("a", 1).pending("b", 1).pass();

    assertThat(plan.triggers()).containsExactlyInAnyOrder(HOST_ADDED, REQUEST_ADMITTED);
    assertThat(cluster.pass().triggers()).containsExactly(EMBEDDER);
  }

  @Test
  void triggersAreInDeclarationOrder() {
    cluster.pending("a", 1).host("h1", 1);

    cluster.pass(pass -> assertThat(pass.triggers()).containsExactly(REQUEST_ADMITTED, HOST_ADDED));
  }

  @Test
  void passesAreNumberedFromOneAndCarryTheirTime() {
    assertThat(cluster.scheduler().passes()).isZero();

    Plan first = cluster.at(3).pass();
    Plan second = cluster.at(5).pass();

    assertThat(first.pass()).isEqualTo(1);
    assertThat(first.now()).isEqualTo(3 * Cluster.SECOND);
    assertThat(second.pass()).isEqualTo(2);
    assertThat(second.now()).isEqualTo(5 * Cluster.SECOND);
    assertThat(cluster.scheduler().passes()).isEqualTo(2);
    assertThat(cluster.scheduler().now()).isEqualTo(5 * Cluster.SECOND);
  }

  @Test
  void policySeesNumberAndTimeOfThePass() {
    List<String> seen = new ArrayList<>();
    for (int time : List.of(3, 5)) {
      cluster.at(time).pass(pass -> seen.add(pass.number() + " at " + pass.now()));
    }

    assertThat(seen).containsExactly("1 at 3000000000", "2 at 5000000000");
  }

  @Test
  void noPassIsDueWithoutEventsAndWatchdog() {
    assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    assertThat(cluster.scheduler().now()).isEqualTo(Long.MIN_VALUE);

    cluster.at(1).pass();

    assertThat(cluster.scheduler().nextPassAt()).isEmpty();
  }

  @Test
  void eventMakesAPassDueAtOnce() {
    cluster.at(7).host("h1", 1);

    assertThat(cluster.scheduler().nextPassAt()).hasValue(7 * Cluster.SECOND);
  }

  @Test
  void startedMakesNoPassDue() {
    cluster.host("h1", 1).starting("a", "gold", 1, "h1").at(1).started("a");

    assertThat(cluster.scheduler().nextPassAt()).isEmpty();
  }

  @Test
  void watchdogCountsFromTheLastPass() {
    Cluster watched = Cluster.byHand(Scheduler.builder().watchdog(Duration.ofSeconds(10)));
    assertThat(watched.scheduler().nextPassAt()).isEmpty(); // nothing can have changed yet

    watched.at(3).pass();

    assertThat(watched.scheduler().nextPassAt()).hasValue(13 * Cluster.SECOND);
    assertThat(watched.at(12.999999999).pass().triggers()).containsExactly(EMBEDDER);
    assertThat(watched.scheduler().nextPassAt()).hasValue(22_999_999_999L);
    assertThat(watched.atNanos(22_999_999_999L).pass().triggers()).containsExactly(WATCHDOG);
  }

  @Test
  void watchdogAndEventTriggerOnePass() {
    Cluster watched = Cluster.byHand(Scheduler.builder().watchdog(Duration.ofSeconds(10)));
    watched.pass();

    assertThat(watched.at(10).host("h1", 1).pass().triggers())
        .containsExactlyInAnyOrder(HOST_ADDED, WATCHDOG);
  }

  @Test
  void eventDoesNotResetTheWatchdog() {
    Cluster watched = Cluster.byHand(Scheduler.builder().watchdog(Duration.ofSeconds(10)));
    watched.pass();

    watched.at(4).host("h1", 1);
    assertThat(watched.scheduler().nextPassAt()).hasValue(4 * Cluster.SECOND);

    watched.pass();
    assertThat(watched.scheduler().nextPassAt()).hasValue(14 * Cluster.SECOND);
  }

  @Test
  void embedderOverridesThePolicysWatchdog() {
    Policy impatient =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {}

          @Override
          public Optional<Duration> watchdog() {
            return Optional.of(Duration.ofSeconds(2));
          }
        };

    Cluster byPolicy = Cluster.withPolicy(Scheduler.builder(), context -> impatient);
    Cluster byEmbedder =
        Cluster.withPolicy(
            Scheduler.builder().watchdog(Duration.ofSeconds(60)), context -> impatient);

    assertThat(byPolicy.scheduler().watchdog()).contains(Duration.ofSeconds(2));
    assertThat(byEmbedder.scheduler().watchdog()).contains(Duration.ofSeconds(60));
  }

  @Test
  void pipelinePassesItsWatchdogOn() {
    assertThat(Cluster.of(parts -> parts.watchdog(Duration.ofSeconds(30))).scheduler().watchdog())
        .contains(Duration.ofSeconds(30));
  }

  @Test
  void watchdogPastTheEndOfTimeNeverFires() {
    Cluster patient =
        Cluster.byHand(Scheduler.builder().watchdog(Duration.ofNanos(Long.MAX_VALUE)));
    patient.at(1).pass();

    assertThat(patient.scheduler().nextPassAt()).isEmpty();
    assertThat(patient.at(2).pass().triggers()).containsExactly(EMBEDDER);
  }

  @Test
  void watchdogLongerThanTheTimeRangeNeverFires() {
    Cluster patient =
        Cluster.byHand(Scheduler.builder().watchdog(Duration.ofSeconds(Long.MAX_VALUE)));
    patient.at(1).pass();

    assertThat(patient.at(2).pass().triggers()).containsExactly(EMBEDDER);
  }

  @Test
  void overdueWatchdogIsDueNow() {
    Cluster late =
        Cluster.byHand(Scheduler.builder().watchdog(Duration.ofSeconds(10))).host("h", 1);
    late.running("a", 1, "h");
    late.at(3).pass();
    late.scheduler().loadReported("h", 1, 40_000_000_000L);

    assertThat(late.scheduler().nextPassAt()).hasValue(40_000_000_000L);
  }

  @Test
  void refusesANonPositiveWatchdog() {
    Policy hasty =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {}

          @Override
          public Optional<Duration> watchdog() {
            return Optional.of(Duration.ZERO);
          }
        };

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Scheduler.builder()
                    .policy("hasty", context -> hasty)
                    .serviceClasses(ServiceClass.builder("only").build())
                    .build())
        .withMessage("policy hasty: watchdog was PT0S, must be positive.");
  }

  @Test
  void instancesOfARemovedHostArePendingInOrderOfAdmission() {
    cluster.host("h1", 4).pending("c", 1).pending("a", 1).pending("b", 1).pending("d", 1);
    cluster.place("b", "h1").place("d", "h1").place("c", "h1");

    cluster.removed("h1");

    assertThat(pendingIds()).containsExactly("c", "a", "b", "d");
    assertThat(cluster.scheduler().hosts()).isEmpty();
  }

  @Test
  void viewOfARemovedHostIsEmpty() {
    Host h1 = cluster.host("h1", 4).running("a", 1, "h1").host("h1");

    cluster.removed("h1").host("h2", 2);

    assertThat(h1.instances()).isEmpty();
    assertThat(h1.free(Dimension.CPU)).isZero();
  }

  @Test
  void returningHostIsEmptyAndLast() {
    cluster.host("h1", 4).host("h2", 4).running("a", 1, "h1");

    cluster.removed("h1").host("h1", 4);

    assertThat(cluster.scheduler().hosts().stream().map(Host::id)).containsExactly("h2", "h1");
    assertThat(cluster.host("h1").free()).isEqualTo(Cluster.cores(4));
  }

  @Test
  void passAppliesItsPlanBeforeReturning() {
    cluster.host("h1", 1).running("a", "bronze", 1, "h1").at(5).pending("b", 1);

    cluster.place("b", "h1", "a");

    assertThat(cluster.host("h1").instances()).containsExactly(cluster.instance("b"));
    assertThat(pendingIds()).containsExactly("a");
  }

  @Test
  void randomNumbersDependOnlyOnSeedAndPassNumber() {
    List<Long> numbers = new ArrayList<>();
    List<Long> same = new ArrayList<>();
    List<Long> otherSeed = new ArrayList<>();
    draw(Cluster.byHand(Scheduler.builder().seed(1)), numbers);
    draw(Cluster.byHand(Scheduler.builder().seed(1)).host("h1", 1).pending("a", 1), same);
    draw(Cluster.byHand(Scheduler.builder().seed(2)), otherSeed);

    assertThat(numbers).hasSize(4).doesNotHaveDuplicates().isEqualTo(same);
    assertThat(otherSeed).doesNotContainAnyElementsOf(numbers);
  }

  private static void draw(Cluster cluster, List<Long> numbers) {
    for (int i = 0; i < 2; i++) {
      cluster.pass(
          pass -> {
            numbers.add(pass.random().nextLong());
            numbers.add(pass.random().nextLong());
          });
    }
  }

  private List<String> pendingIds() {
    List<String> ids = new ArrayList<>();
    cluster.pass(pass -> pass.pending().stream().map(Instance::id).forEach(ids::add));
    return ids;
  }
}
