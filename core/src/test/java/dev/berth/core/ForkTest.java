package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Constraint;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason.PolicyChoice;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Plan.PolicyError;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A kept fork becomes part of its pass; a discarded fork leaves no trace. */
class ForkTest {

  /** {@code a} runs on the only host; {@code b} and {@code c} are pending. */
  private final Cluster cluster =
      Cluster.byHand()
          .host("h1", 2)
          .running("a", "silver", 2, "h1")
          .at(60)
          .pending("b", 1)
          .pending("c", 1);

  @Test
  void forkShowsItsOwnActions() {
    cluster.pass(
        pass -> {
          try (Fork fork = pass.fork()) {
            placeBForA(fork);

            assertThat(state(fork, "a")).isEqualTo(InstanceState.PENDING);
            assertThat(state(fork, "b")).isEqualTo(InstanceState.STARTING);
            assertThat(fork.pending()).extracting(Instance::id).containsExactly("c");
            assertThat(fork.hosts().get(0).free()).isEqualTo(Cluster.cores(1));
            assertThat(fork.hosts().get(0).instances())
                .extracting(Instance::id)
                .containsExactly("b");
          }
        });
  }

  @Test
  void parentViewShowsTheOpenFork() {
    cluster.pass(
        pass -> {
          try (Fork fork = pass.fork()) {
            placeBForA(fork);
            assertThat(Snapshot.of(pass)).isEqualTo(Snapshot.of(fork));
          }
        });
  }

  @Test
  void forkAnswersLikeItsPass() {
    cluster.pass(
        pass -> {
          try (Fork fork = pass.fork()) {
            assertThat(fork.number()).isEqualTo(pass.number());
            assertThat(fork.now()).isEqualTo(pass.now());
            assertThat(fork.triggers()).isEqualTo(pass.triggers());
            assertThat(fork.tieBreak(b(pass), h1(pass)))
                .isEqualTo(pass.tieBreak(b(pass), h1(pass)));
            assertThat(fork.host("h1")).isEqualTo(pass.host("h1"));
          }
        });
  }

  @Test
  void closedForkLeavesNoTrace() {
    Plan plan =
        cluster.pass(
            pass -> {
              Snapshot before = Snapshot.of(pass);
              try (Fork fork = pass.fork()) {
                placeBForA(fork);
                fork.place(c(fork), h1(fork));
              }
              assertThat(Snapshot.of(pass)).isEqualTo(before);
            });

    assertThat(plan.actions()).isEmpty();
    assertThat(cluster.instance("a").serviceTime(cluster.now())).isEqualTo(60 * Cluster.SECOND);
    assertThat(cluster.instance("a").preemptions()).isZero();
    assertThat(cluster.instance("b").placements()).isZero();
  }

  @Test
  void parentMayRepeatActionsOfADiscardedFork() {
    Plan plan =
        cluster.pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                placeBForA(fork);
              }
              placeBForA(pass);
            });

    assertThat(plan.actions()).hasSize(2);
    assertThat(cluster.instance("a").preemptions()).isEqualTo(1);
  }

  @Test
  void keptForkBecomesPartOfThePass() {
    Plan plan =
        cluster.pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                placeBForA(fork);
                fork.keep();
              }
              assertThat(state(pass, "b")).isEqualTo(InstanceState.STARTING);
              pass.place(c(pass), h1(pass));
            });

    assertThat(plan.actions())
        .containsExactly(
            new Action.Preempt("a", "h1", "b"),
            new Action.Place("b", "h1", List.of("a")),
            new Action.Place("c", "h1", List.of()));
  }

  @Test
  void forkKeptInsideADiscardedForkIsDiscarded() {
    cluster.pass(
        pass -> {
          Snapshot before = Snapshot.of(pass);
          try (Fork outer = pass.fork()) {
            try (Fork inner = outer.fork()) {
              placeBForA(inner);
              inner.keep();
            }
            outer.place(c(outer), h1(outer));
          }
          assertThat(Snapshot.of(pass)).isEqualTo(before);
        });
  }

  @Test
  void forkDiscardedInsideAKeptForkLeavesTheRest() {
    Plan plan =
        cluster.pass(
            pass -> {
              try (Fork outer = pass.fork()) {
                placeBForA(outer);
                try (Fork inner = outer.fork()) {
                  inner.place(c(inner), h1(inner));
                }
                outer.keep();
              }
            });

    assertThat(plan.placements()).extracting(Action.Place::instance).containsExactly("b");
    assertThat(cluster.instance("c").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void closingAnOuterForkClosesInnerForks() {
    cluster.pass(
        pass -> {
          Snapshot before = Snapshot.of(pass);
          Fork outer = pass.fork();
          placeBForA(outer);
          Fork inner = outer.fork();
          inner.place(c(inner), h1(inner));

          outer.close();

          assertThat(Snapshot.of(pass)).isEqualTo(before);
          assertThatIllegalStateException().isThrownBy(inner::number);
          placeBForA(pass);
        });

    assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.STARTING);
  }

  @Test
  void forkLeftOpenIsDiscarded() {
    Plan plan = cluster.pass(pass -> placeBForA(pass.fork().fork()));

    assertThat(plan.actions()).isEmpty();
    assertThat(state(cluster, "a")).isEqualTo(InstanceState.RUNNING);
    assertThat(state(cluster, "b")).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void discardedForkDropsItsDeferrals() {
    Plan plan =
        cluster.pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                fork.defer(b(fork), new PolicyChoice("x", "tried"));
              }
              pass.defer(c(pass), new PolicyChoice("x", "meant"));
            });

    assertThat(plan.deferrals()).containsOnlyKeys("c");
  }

  @Test
  void reportsPolicyErrorsOfADiscardedFork() {
    Plan plan =
        cluster.pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                fork.place(fork.instance("a").orElseThrow(), h1(fork));
              }
            });

    assertThat(plan.policyErrors()).extracting(PolicyError::subject).containsExactly("a");
  }

  @Test
  void passRefusesActionsWhileAForkIsOpen() {
    cluster.pass(
        pass -> {
          try (Fork fork = pass.fork()) {
            assertThatIllegalStateException()
                .isThrownBy(() -> placeBForA(pass))
                .withMessage("pass 2 has an open fork: act on that, or close it first.");
            assertThatIllegalStateException()
                .isThrownBy(() -> pass.defer(b(pass), new PolicyChoice("x", "y")));
            assertThatIllegalStateException().isThrownBy(pass::fork);
            assertThat(fork.pending()).hasSize(2);
          }
        });
  }

  @Test
  void forkRefusesActionsAndKeepWhileAForkIsOpenInIt() {
    cluster.pass(
        pass -> {
          try (Fork outer = pass.fork();
              Fork inner = outer.fork()) {
            assertThatIllegalStateException().isThrownBy(() -> placeBForA(outer));
            assertThatIllegalStateException().isThrownBy(outer::keep);
            placeBForA(inner);
          }
        });

    assertThat(state(cluster, "b")).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void endedForkRefusesEveryCall() {
    cluster.pass(
        pass -> {
          Fork closed = pass.fork();
          closed.close();
          Fork kept = pass.fork();
          kept.keep();
          for (Fork ended : List.of(closed, kept)) {
            assertThatIllegalStateException().isThrownBy(ended::pending);
            assertThatIllegalStateException().isThrownBy(() -> placeBForA(ended));
            assertThatIllegalStateException().isThrownBy(ended::fork);
            assertThatIllegalStateException().isThrownBy(ended::keep);
          }
        });
  }

  @Test
  void closeMayFollowCloseOrKeep() {
    Plan plan =
        cluster.pass(
            pass -> {
              Fork fork = pass.fork();
              placeBForA(fork);
              fork.keep();
              fork.close();
              fork.close();
            });

    assertThat(plan.placements()).hasSize(1);
  }

  @Test
  void closeMayFollowTheEndOfThePass() {
    Fork[] kept = new Fork[1];
    cluster.pass(pass -> kept[0] = pass.fork());
    Snapshot before = cluster.snapshot();

    kept[0].close();

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void undoRestoresRestartOverheadAfterPreemption() {
    cluster.place("b", "h1", "a").cancel("b");
    cluster.place("a", "h1");

    cluster
        .at(61)
        .pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                fork.place(c(fork), h1(fork), List.of(fork.instance("a").orElseThrow()));
              }
            });
    cluster.at(63).started("a");

    assertThat(cluster.instance("a").restartOverhead()).isEqualTo(3 * Cluster.SECOND);
  }

  @Test
  void undoRestoresWhetherTheNextPlacementIsARestart() {
    cluster.place("b", "h1", "a").cancel("b");

    cluster.pass(
        pass -> {
          try (Fork fork = pass.fork()) {
            fork.place(fork.instance("a").orElseThrow(), h1(fork));
          }
        });
    cluster.at(70).place("a", "h1").at(74).started("a");

    assertThat(cluster.instance("a").restartOverhead()).isEqualTo(4 * Cluster.SECOND);
    assertThat(cluster.instance("a").placements()).isEqualTo(2);
  }

  @Test
  void discardedForkRestoresTheRandomSequence() {
    cluster.pass(
        pass -> {
          long drawn;
          try (Fork fork = pass.fork()) {
            drawn = fork.random().nextLong();
          }
          assertThat(pass.random().nextLong()).isEqualTo(drawn);
        });
  }

  @Test
  void keptForkAdvancesTheRandomSequence() {
    cluster.pass(
        pass -> {
          long drawn;
          try (Fork fork = pass.fork()) {
            drawn = fork.random().nextLong();
            fork.keep();
          }
          assertThat(pass.random().nextLong()).isNotEqualTo(drawn);
        });
  }

  @Test
  void onlyTheInnermostForkDrawsRandomNumbers() {
    cluster.pass(
        pass -> {
          RandomGenerator ofThePass = pass.random();
          try (Fork fork = pass.fork()) {
            assertThatIllegalStateException()
                .isThrownBy(ofThePass::nextLong)
                .withMessageContaining("open fork");
            fork.keep();
          }
          ofThePass.nextLong();
        });
  }

  @Test
  void randomNumbersEndWithThePass() {
    List<RandomGenerator> kept = new ArrayList<>();
    cluster.pass(pass -> kept.add(pass.random()));

    assertThatIllegalStateException()
        .isThrownBy(() -> kept.get(0).nextLong())
        .withMessageContaining("is over");
  }

  // ---- Arbitrary actions in a fork

  /**
   * Closing a fork restores the visible state and all later plans, after any sequence of actions in
   * a cluster with two dimensions, jobs and constraints.
   */
  @Property(tries = 300)
  void closingAForkUndoesAnyActions(@ForAll("actions") List<Act> acts) {
    Cluster tried = crowded();
    tried.pass(
        pass -> {
          Snapshot before = Snapshot.of(pass);
          try (Fork fork = pass.fork()) {
            acts.forEach(act -> act.on(fork));
          }
          assertThat(Snapshot.of(pass)).isEqualTo(before);
        });
    Cluster untried = crowded();
    untried.pass();

    assertThat(tried.snapshot()).isEqualTo(untried.snapshot());
  }

  @Property(tries = 200)
  void closingAForkKeepsEarlierActions(
      @ForAll("actions") List<Act> before, @ForAll("actions") List<Act> within) {
    Cluster tried = crowded();
    Plan withFork =
        tried.pass(
            pass -> {
              before.forEach(act -> act.on(pass));
              try (Fork fork = pass.fork()) {
                within.forEach(act -> act.on(fork));
              }
            });
    Cluster untried = crowded();
    Plan without = untried.pass(pass -> before.forEach(act -> act.on(pass)));

    assertThat(withFork.actions()).isEqualTo(without.actions());
    assertThat(tried.snapshot()).isEqualTo(untried.snapshot());
  }

  @Property(tries = 200)
  void keptForkEqualsActingOnThePass(
      @ForAll("actions") List<Act> before, @ForAll("actions") List<Act> within) {
    Cluster forked = crowded();
    Plan withFork =
        forked.pass(
            pass -> {
              before.forEach(act -> act.on(pass));
              try (Fork fork = pass.fork()) {
                within.forEach(act -> act.on(fork));
                fork.keep();
              }
            });
    Cluster plain = crowded();
    Plan without =
        plain.pass(
            pass -> {
              before.forEach(act -> act.on(pass));
              within.forEach(act -> act.on(pass));
            });

    assertThat(withFork.actions()).isEqualTo(without.actions());
    assertThat(forked.snapshot()).isEqualTo(plain.snapshot());
  }

  @Provide
  static Arbitrary<List<Act>> actions() {
    Arbitrary<Integer> subject = Arbitraries.integers().between(0, 9);
    return Combinators.combine(
            subject, Arbitraries.integers().between(0, 2), subject.set().ofMaxSize(2))
        .as((instance, host, victims) -> new Act(instance, host, List.copyOf(victims)))
        .list()
        .ofMinSize(5)
        .ofMaxSize(20);
  }

  /**
   * Tries to place an instance, usually a pending one, with victims on the host. The engine often
   * refuses it.
   */
  record Act(int instance, int host, List<Integer> victims) {

    void on(SchedulingPass pass) {
      List<Instance> subjects =
          List.copyOf(
              instance < 8 && !pass.pending().isEmpty() ? pass.pending() : pass.instances());
      Host on = pass.hosts().get(host);
      List<Instance> there = List.copyOf(on.instances());
      pass.place(
          subjects.get(instance % subjects.size()),
          on,
          victims.stream()
              .limit(there.size())
              .map(each -> there.get(each % there.size()))
              .toList());
    }
  }

  /** Three hosts in two zones, with five instances, one of them starting, and five pending. */
  private static Cluster crowded() {
    return Cluster.byHand()
        .host("h1", Cluster.cores(4, 4), "zone", "a")
        .host("h2", Cluster.cores(2, 8), "zone", "b")
        .host("h3", Cluster.cores(4, 4), "zone", "a")
        .running(request("r1", 0).demand(Cluster.cores(2, 1)).job("j").antiAffinity(true), "h1")
        .running(request("r2", "bronze", 2).job("k"), "h1")
        .running(request("r3", "silver", 0).demand(Cluster.cores(1, 4)), "h2")
        .at(7)
        .starting(request("r4", "bronze", 1), "h2")
        .running(request("r5", "silver", 3).job("j"), "h3")
        .at(11)
        .pending(request("p1", 1).job("j"))
        .pending(request("p2", "silver", 2).job("k").antiAffinity(true))
        .pending(request("p3", "bronze", 1).constraint(new Constraint.Equal("zone", "a")))
        .at(13)
        .pending(request("p4", 0).demand(Cluster.cores(1, 3)))
        .pending(request("p5", "gold", 4));
  }

  // ---- Helpers

  private static void placeBForA(SchedulingPass pass) {
    assertThat(pass.place(b(pass), h1(pass), List.of(pass.instance("a").orElseThrow())).refusal())
        .isEmpty();
  }

  private static InstanceState state(SchedulingPass pass, String id) {
    return pass.instance(id).orElseThrow().state();
  }

  private static InstanceState state(Cluster cluster, String id) {
    return cluster.instance(id).state();
  }

  private static Instance b(SchedulingPass pass) {
    return pass.instance("b").orElseThrow();
  }

  private static Instance c(SchedulingPass pass) {
    return pass.instance("c").orElseThrow();
  }

  private static Host h1(SchedulingPass pass) {
    return pass.host("h1").orElseThrow();
  }
}
