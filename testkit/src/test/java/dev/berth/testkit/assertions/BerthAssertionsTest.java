package dev.berth.testkit.assertions;

import static dev.berth.testkit.TestCluster.cpu;
import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.testkit.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests each assertion once when it holds and once when it fails, with its message. */
class BerthAssertionsTest {

  private static final Reason QUOTA = new Reason.PolicyChoice("acme.quota", "over quota, 100%d");

  private final Plan plan =
      new Plan(
          3,
          7,
          Set.of(Trigger.EMBEDDER),
          List.of(
              new Action.Place("r3", "h1", List.of()),
              new Action.Preempt("r9", "h2", "r4"),
              new Action.Preempt("r8", "h2", "r4"),
              new Action.Place("r4", "h2", List.of("r9", "r8"))),
          Map.of("r5", QUOTA),
          List.of());

  private static final String BUT =
      ", but it does: place r3 on h1; preempt r9 on h2 for r4; preempt r8 on h2 for r4; place r4 on"
          + " h2; defer r5: over quota, 100%d (acme.quota)";

  private final Plan nothing = new Plan(1, 0, Set.of(Trigger.EMBEDDER), List.of());

  private final TestCluster cluster =
      TestCluster.byHand()
          .host("h1", cpuAndMemory(4, 8))
          .host("h2", cpu(2))
          .running("a", "gold", cpu(1), "h1")
          .running("b", "bronze", cpu(2), "h1")
          .after(ofSeconds(10))
          .pending("c", "silver", cpu(2))
          .place("c", "h1", "b")
          .after(ofSeconds(5));

  private static void assertFails(ThrowingCallable assertion, String message) {
    assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
  }

  // ---- Plan

  @Test
  void oneChainDescribesAWholePlan() {
    assertThat(plan)
        .places("r3")
        .on("h1")
        .preemptingNobody()
        .places("r4")
        .on("h2")
        .preempting("r8", "r9")
        .preempts("r9")
        .on("h2")
        .inFavourOf("r4")
        .defers("r5")
        .because("quota")
        .doesNotPlace("r5")
        .hasNoPolicyErrors()
        .placesExactly("r3", "r4")
        .preemptsExactly("r9", "r8");
  }

  @Test
  void places() {
    assertThat(plan).places("r3");
    assertFails(() -> assertThat(plan).places("r1"), "expected the plan to place r1" + BUT);
    assertFails(
        () -> assertThat(nothing).places("r1"),
        "expected the plan to place r1, but it does nothing");
  }

  @Test
  void placesOn() {
    assertThat(plan).places("r3").on("h1");
    assertFails(
        () -> assertThat(plan).places("r3").on("h2"), "expected the plan to place r3 on h2" + BUT);
  }

  @Test
  void placesPreempting() {
    assertThat(plan).places("r4").preempting("r9", "r8").places("r4").preempting("r8", "r9");
    assertFails(
        () -> assertThat(plan).places("r4").preempting("r9"),
        "expected the plan to place r4 preempting r9 and no other instance" + BUT);
    assertFails(
        () -> assertThat(plan).places("r4").preempting("r9", "r8", "r7"),
        "expected the plan to place r4 preempting r7, r8, r9 and no other instance" + BUT);
    assertFails(
        () -> assertThat(plan).places("r3").preempting("r9"),
        "expected the plan to place r3 preempting r9 and no other instance" + BUT);
  }

  @Test
  void placesPreemptingNobody() {
    assertThat(plan).places("r3").preemptingNobody();
    assertFails(
        () -> assertThat(plan).places("r4").preemptingNobody(),
        "expected the plan to place r4 preempting no instance" + BUT);
  }

  private final Plan other =
      new Plan(
          1,
          0,
          Set.of(Trigger.EMBEDDER),
          List.of(
              new Action.Place("r1", "h1", List.of(), Optional.of(cpu(2))),
              new Action.Resize("r2", "h1", cpu(3)),
              new Action.Pause("r3", "h1"),
              new Action.Suspend("r4", "h1"),
              new Action.Resume("r5", "h1", cpu(1), 2),
              new Action.Migrate("r6", "h1", "h2", cpu(1), 2),
              new Action.Reject("r7", QUOTA)));

  private static final String BUT_OTHER =
      ", but it does: place r1 on h1 with cpu 2; resize r2 on h1 to cpu 3; pause r3 on h1; suspend"
          + " r4 on h1; resume r5 on h1 with cpu 1; migrate r6 from h1 to h2 with cpu 1; reject r7:"
          + " over quota, 100%d";

  @Test
  void placesGranting() {
    assertThat(other).places("r1").granting(cpu(2));
    assertThat(plan).places("r3").grantingItsDemand();
    assertFails(
        () -> assertThat(other).places("r1").granting(cpu(1)),
        "expected the plan to place r1 granting cpu 1" + BUT_OTHER);
    assertFails(
        () -> assertThat(other).places("r1").grantingItsDemand(),
        "expected the plan to place r1 granting its demand" + BUT_OTHER);
    assertFails(
        () -> assertThat(plan).places("r3").granting(cpu(1)),
        "expected the plan to place r3 granting cpu 1" + BUT);
  }

  @Test
  void assertsOtherActions() {
    assertThat(other)
        .resizes("r2", cpu(3))
        .pauses("r3")
        .suspends("r4")
        .resumes("r5", cpu(1))
        .migrates("r6", "h2")
        .rejects("r7");
    assertFails(
        () -> assertThat(other).resizes("r2", cpu(2)),
        "expected the plan to resize r2 to cpu 2" + BUT_OTHER);
    assertFails(() -> assertThat(other).pauses("r4"), "expected the plan to pause r4" + BUT_OTHER);
    assertFails(
        () -> assertThat(other).suspends("r3"), "expected the plan to suspend r3" + BUT_OTHER);
    assertFails(
        () -> assertThat(other).resumes("r5", cpu(2)),
        "expected the plan to resume r5 with cpu 2" + BUT_OTHER);
    assertFails(
        () -> assertThat(other).migrates("r6", "h1"),
        "expected the plan to migrate r6 to h1" + BUT_OTHER);
    assertFails(
        () -> assertThat(other).rejects("r6"), "expected the plan to reject r6" + BUT_OTHER);
  }

  @Test
  void doesNotPlace() {
    assertThat(plan).doesNotPlace("r5").doesNotPlace("r9");
    assertFails(
        () -> assertThat(plan).doesNotPlace("r4"), "expected the plan not to place r4" + BUT);
  }

  @Test
  void placesExactly() {
    assertThat(plan).placesExactly("r3", "r4");
    assertThat(nothing).placesExactly();
    assertFails(
        () -> assertThat(plan).placesExactly("r4", "r3"),
        "expected the plan to place r4, r3, in this order, and no other instance" + BUT);
    assertFails(
        () -> assertThat(plan).placesExactly("r3"),
        "expected the plan to place r3 and no other instance" + BUT);
    assertFails(
        () -> assertThat(plan).placesExactly(), "expected the plan to place no instance" + BUT);
  }

  @Test
  void preempts() {
    assertThat(plan).preempts("r9").preempts("r8");
    assertFails(() -> assertThat(plan).preempts("r3"), "expected the plan to preempt r3" + BUT);
  }

  @Test
  void preemptsOn() {
    assertThat(plan).preempts("r9").on("h2");
    assertFails(
        () -> assertThat(plan).preempts("r9").on("h1"),
        "expected the plan to preempt r9 on h1" + BUT);
  }

  @Test
  void preemptsInFavourOf() {
    assertThat(plan).preempts("r9").inFavourOf("r4");
    assertFails(
        () -> assertThat(plan).preempts("r9").inFavourOf("r3"),
        "expected the plan to preempt r9 for r3" + BUT);
  }

  @Test
  void preemptsExactly() {
    assertThat(plan).preemptsExactly("r9", "r8");
    assertFails(
        () -> assertThat(plan).preemptsExactly("r8", "r9"),
        "expected the plan to preempt r8, r9, in this order, and no other instance" + BUT);
  }

  @Test
  void preemptsNobody() {
    assertThat(nothing).preemptsNobody();
    assertFails(
        () -> assertThat(plan).preemptsNobody(), "expected the plan to preempt no instance" + BUT);
  }

  @Test
  void defers() {
    assertThat(plan).defers("r5");
    assertFails(() -> assertThat(plan).defers("r3"), "expected the plan to defer r3" + BUT);
  }

  @Test
  void defersBecause() {
    assertThat(plan).defers("r5").because("over quota").because(QUOTA);
    assertFails(
        () -> assertThat(plan).defers("r5").because("no budget"),
        "expected the plan to defer r5 because of \"no budget\"" + BUT);
    Reason alike = new Reason.PolicyChoice("acme.other", "over quota, 100%d");
    assertFails(
        () -> assertThat(plan).defers("r5").because(alike),
        "expected the plan to defer r5: over quota, 100%d (acme.other)" + BUT);
  }

  @Test
  void isEmpty() {
    assertThat(nothing).isEmpty();
    assertThat(new Plan(1, 0, Set.of(), List.of(), Map.of("r5", QUOTA), List.of())).isEmpty();
    assertFails(() -> assertThat(plan).isEmpty(), "expected the plan to have no actions" + BUT);
  }

  @Test
  void hasNoPolicyErrors() {
    assertThat(plan).hasNoPolicyErrors();
    Plan erroneous = cluster.pass(pass -> pass.place(cluster.instance("a"), cluster.host("h2")));
    assertFails(
        () -> assertThat(erroneous).hasNoPolicyErrors(),
        "expected the plan to have no policy errors, but it does: make a policy error: a: instance"
            + " a must be pending to be placed, is RUNNING on h1 (wrong-state)");
  }

  @Test
  void keepsDescriptionsAlongTheChain() {
    assertFails(
        () -> assertThat(plan).as("the %s pass", "third").places("r3").on("h2"),
        "[the third pass] expected the plan to place r3 on h2" + BUT);
    assertFails(
        () -> assertThat(plan).as("third").places("r3").on("h1").defers("r3"),
        "[third] expected the plan to defer r3" + BUT);
    assertFails(
        () -> assertThat(plan).withFailMessage("own words").preempts("r9").inFavourOf("r3"),
        "own words");
  }

  // ---- Instance

  @Test
  void states() {
    assertThat(cluster.instance("a")).isRunning();
    assertThat(cluster.instance("b")).isPending();
    assertThat(cluster.instance("c")).isStarting();
    assertFails(
        () -> assertThat(cluster.instance("a")).isPending(),
        "expected a to be pending, but it is running on h1 since 0s and was never preempted");
    assertFails(
        () -> assertThat(cluster.instance("b")).isStarting(),
        "expected b to be starting, but it is pending since 10s and was preempted once");
    assertFails(
        () -> assertThat(cluster.instance("c")).isRunning(),
        "expected c to be running, but it is starting on h1 since 10s and was never preempted");
  }

  @Test
  void hosts() {
    assertThat(cluster.instance("c")).isOn("h1");
    assertThat(cluster.instance("b")).isOnNoHost();
    assertFails(
        () -> assertThat(cluster.instance("c")).isOn("h2"),
        "expected c to be on h2, but it is starting on h1 since 10s and was never preempted");
    assertFails(
        () -> assertThat(cluster.instance("b")).isOn("h1"),
        "expected b to be on h1, but it is pending since 10s and was preempted once");
    assertFails(
        () -> assertThat(cluster.instance("a")).isOnNoHost(),
        "expected a to be on no host, but it is running on h1 since 0s and was never preempted");
  }

  @Test
  void isPausedOrSuspended() {
    cluster.ready("c").pause("c");
    assertThat(cluster.instance("c")).isPaused();
    assertFails(
        () -> assertThat(cluster.instance("c")).isSuspended(),
        "expected c to be suspended, but it is paused on h1 since 15s and was never preempted");
    cluster.suspend("c");
    assertThat(cluster.instance("c")).isSuspended().isOn("h1");
    assertFails(
        () -> assertThat(cluster.instance("c")).isPaused(),
        "expected c to be paused, but it is suspended on h1 since 15s and was never preempted");
  }

  @Test
  void isGranted() {
    assertThat(cluster.instance("c")).isGranted(cpu(2));
    assertFails(
        () -> assertThat(cluster.instance("c")).isGranted(cpu(1)),
        "expected c to be granted cpu 1, but it is granted cpu 2, is starting on h1 since 10s and"
            + " was never preempted");
  }

  @Test
  void times() {
    assertThat(cluster.instance("b"))
        .hasServiceTime(ofSeconds(10), cluster.now())
        .hasWaitingTime(ofSeconds(5), cluster.now());
    assertFails(
        () -> assertThat(cluster.instance("b")).hasServiceTime(ofSeconds(9), cluster.now()),
        "expected b to have service time 9s at 15s, but it has 10s, is pending since 10s and was"
            + " preempted once");
    assertFails(
        () -> assertThat(cluster.instance("b")).hasWaitingTime(ofSeconds(10), cluster.now()),
        "expected b to have waiting time 10s at 15s, but it has 5s, is pending since 10s and was"
            + " preempted once");
  }

  @Test
  void wasPreempted() {
    assertThat(cluster.instance("a")).wasPreempted(0);
    assertThat(cluster.instance("b")).wasPreempted(1);
    assertFails(
        () -> assertThat(cluster.instance("b")).as("victim").wasPreempted(2),
        "[victim] expected b to have been preempted 2 times, but it is pending since 10s and was"
            + " preempted once");
  }

  // ---- Host

  @Test
  void holds() {
    assertThat(cluster.host("h1")).holds("a", "c").holds("c", "a");
    assertFails(
        () -> assertThat(cluster.host("h1")).holds("a"),
        "expected h1 to hold a and no other instance, but it holds a, c; free: cpu 1, memory 8 of cpu 4,"
            + " memory 8");
    assertFails(
        () -> assertThat(cluster.host("h2")).holds("c", "a"),
        "expected h2 to hold a, c and no other instance, but it holds no instance; free: cpu 2 of cpu 2");
  }

  @Test
  void holdsNobody() {
    assertThat(cluster.host("h2")).holdsNobody();
    assertFails(
        () -> assertThat(cluster.host("h1")).holdsNobody(),
        "expected h1 to hold no instance, but it holds a, c; free: cpu 1, memory 8 of cpu 4, memory 8");
  }

  @Test
  void hasFree() {
    assertThat(cluster.host("h1")).hasFree(cpuAndMemory(1, 8));
    assertFails(
        () -> assertThat(cluster.host("h1")).hasFree(cpu(1)),
        "expected h1 to have free cpu 1, but it holds a, c; free: cpu 1, memory 8 of cpu 4, memory"
            + " 8");
  }

  @Test
  void worksBesideTheAssertThatOfAssertJ() {
    assertThat("text").isNotEmpty();
    assertThat(List.of(plan)).hasSize(1);
    assertThat(plan.now()).isEqualTo(7);
    assertThat(plan.deferrals()).containsKey("r5");
    assertThat(cluster.instance("a").host()).isPresent();
    assertThat(plan.actions().get(0)).isInstanceOf(Action.Place.class);
  }
}
