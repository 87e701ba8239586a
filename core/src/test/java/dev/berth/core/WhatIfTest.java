package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.event.Event;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Questions to a scheduler: they are answered, and change nothing. */
class WhatIfTest {

  private final Cluster cluster = Cluster.of(WhatIfTest::fifo);
  private long before;

  private static PipelineBuilder fifo(PipelineBuilder parts) {
    return parts.queue(QueueDiscipline.FIFO);
  }

  private static Event<?> completed(String instance) {
    return new Event.CompletedNow(instance, Optional.empty());
  }

  private WhatIf ask() {
    before = cluster.scheduler().digest();
    return cluster.scheduler().whatIf();
  }

  @AfterEach
  void nothingHasChanged() {
    assertThat(cluster.scheduler().digest()).isEqualTo(before);
  }

  @Nested
  class Plans {

    @Test
    void withoutSuppositionIsTheNextPlan() {
      cluster.host("h1", 4).pending("a", 1);

      Preview preview = ask().plan(0);

      assertThat(preview.plan().triggers())
          .containsExactlyInAnyOrder(Trigger.HOST_ADDED, Trigger.REQUEST_ADMITTED);
      assertThat(preview.decisions()).hasSize(1);
      assertThat(cluster.instance("a").host()).isEmpty();
      assertThat(cluster.scheduler().passes()).isZero();
      assertThat(cluster.scheduler().stats().actions().values()).containsOnly(0L);
      Plan actual = cluster.pass();
      assertThat(preview.plan()).isEqualTo(actual);
      before = cluster.scheduler().digest();
    }

    /** What the pass ends or places no longer waits. */
    @Test
    void withoutSuppositionIsTheNextPlanAlsoForBags() {
      Reason why = new Reason.PolicyChoice("test", "because");
      Cluster bags =
          Cluster.withPolicy(
              Scheduler.builder(),
              context ->
                  new Stateless(
                      pass -> {
                        pass.bags().forEach(each -> pass.defer(each, why));
                        pass.pending().forEach(each -> pass.defer(each, why));
                        pass.cancel(pass.bags().get(0), why);
                        pass.reject(pass.instance("of-refused").orElseThrow(), why);
                        pass.place(pass.instance("p").orElseThrow(), pass.hosts().get(0));
                      }));
      bags.host("h1", 1).pending("p", 1).pending("q", 1);
      for (String each : List.of("cancelled", "refused", "waits")) {
        bags.scheduler()
            .submit(new BagSpec(each, List.of(Cluster.request("of-" + each, 1).build())), 0);
      }

      Plan supposed = bags.scheduler().whatIf().plan(0).plan();

      assertThat(supposed.deferrals()).containsOnlyKeys("q", "of-waits");
      assertThat(supposed.bagDeferrals()).containsOnlyKeys("waits");
      assertThat(supposed.endedBags()).hasSize(2);
      assertThat(bags.pass()).isEqualTo(supposed);
      before = cluster.scheduler().digest();
    }

    @Test
    void reservationsAreForgottenWithIt() {
      Cluster reserving =
          Cluster.of(parts -> parts.backfill(Backfill.CONSERVATIVE)).host("h1", 2).host("h2", 2);
      reserving.running(Jobs.job("r", 2, 10), "h1").running(Jobs.job("s", 2, 20), "h2");
      reserving.pending(Jobs.job("a", 2, 5));
      SchedulerSnapshot snapshot = reserving.snapshotData();

      assertThat(reserving.scheduler().whatIf().plan(0).plan().blockedHead()).contains("a");

      assertThat(reserving.snapshotData()).isEqualTo(snapshot);
      before = cluster.scheduler().digest();
    }

    @Test
    void whereInstancesGoIfTheirHostLeaves() {
      cluster.host("h1", 4).pending("a", 1).pending("b", 3).pass();
      cluster.started("a").started("b").host("h2", 2);

      Preview preview = ask().suppose(new Event.HostRemoved("h1")).plan(0);

      assertThat(preview.plan().placements())
          .extracting(Action.Place::instance, Action.Place::host)
          .containsExactly(tuple("a", "h2"));
      assertThat(cluster.instance("b").host()).contains(cluster.host("h1"));
    }

    @Test
    void closedHostsTakeNothing() {
      cluster.host("h1", 4).pending("a", 1);
      assertThat(ask().suppose(new Event.HostCordoned("h1")).plan(0).plan().actions()).isEmpty();
      assertThat(
              ask()
                  .suppose(new Event.HostCordoned("h1"))
                  .suppose(new Event.HostUncordoned("h1"))
                  .plan(0)
                  .plan()
                  .actions())
          .hasSize(1);
      assertThat(cluster.host("h1").closed()).isEmpty();
    }

    @Test
    void drainsAreCarriedOut() {
      cluster.host("h1", 4).pending("a", 1).pass();
      cluster.started("a").host("h2", 4);

      Preview preview = ask().suppose(new Event.HostDrained("h1", Drain.moving())).plan(0);

      assertThat(preview.plan().actions()).hasOnlyElementsOfType(Action.Migrate.class).hasSize(1);
      assertThat(preview.actions()).hasSize(1);
      assertThat(cluster.host("h1").closed()).isEmpty();
    }

    @Test
    void otherCapacityAndForeignLoadCount() {
      cluster.host("h1", 1).pending("a", 2);
      HostSpec larger = new HostSpec("h1", cores(2), Map.of("name", "h1"));
      assertThat(ask().plan(0).plan().actions()).isEmpty();
      assertThat(ask().suppose(new Event.HostChanged(larger)).plan(0).plan().actions()).hasSize(1);
      assertThat(
              ask()
                  .suppose(new Event.HostChanged(larger))
                  .suppose(new Event.ForeignLoadReported("h1", cores(1)))
                  .plan(0)
                  .plan()
                  .actions())
          .isEmpty();
    }

    @Test
    void endsMakeRoom() {
      cluster.host("h1", 1).running("a", 1, "h1").pending("b", 1);
      assertThat(ask().plan(0).plan().actions()).isEmpty();
      assertThat(ask().suppose(completed("a")).plan(0).plan().actions()).hasSize(1);
      assertThat(cluster.scheduler().instances())
          .extracting(Instance::id)
          .containsExactly("a", "b");
    }

    @Test
    void bagThatEndsIsReported() {
      cluster.host("h1", 1);
      cluster.scheduler().submit(new BagSpec("bag", List.of(request("a", 1).build())), 0);
      cluster.pass();
      cluster.started("a");

      Preview preview = ask().suppose(completed("a")).plan(0);

      assertThat(preview.plan().endedBags()).hasSize(1);
      assertThat(preview.plan().endedBags().get(0).completed()).isEqualTo(1);
      assertThat(cluster.scheduler().bag("bag").orElseThrow().remaining()).isEqualTo(1);
    }

    @Test
    void supposedRequestsAreUnknownAfterwards() {
      cluster.host("h1", 4);
      Resources gpu = Resources.of(new Dimension("gpu", 1), 1);
      WhatIf question =
          ask()
              .suppose(new Event.HostAdded(new HostSpec("h2", gpu)))
              .suppose(
                  new Event.Submitted(Request.builder("r", "gold").demand(gpu).job("j").build()))
              .suppose(
                  new Event.BagSubmitted(new BagSpec("bag", List.of(request("s", 1).build()))));

      assertThat(question.plan(0).plan().actions()).hasSize(2);

      assertThat(cluster.scheduler().instances()).isEmpty();
      assertThat(cluster.scheduler().bags()).isEmpty();
      assertThat(cluster.scheduler().hosts()).hasSize(1);
    }

    @Test
    void timeStaysWhereItIs() {
      cluster.host("h1", 4).pending("a", 1).pass();
      before = cluster.scheduler().digest();
      WhatIf question = ask();
      question.plan(5 * SECOND);
      question.hostsNeeded(new HostSpec("more", cores(2)), List.of("a"), 3, 6 * SECOND);
      assertThat(cluster.scheduler().now()).isZero();
      assertThat(question.plan(4 * SECOND).plan().actions()).isEmpty();
      cluster.scheduler().started("a", SECOND);
      before = cluster.scheduler().digest();
      assertThatExceptionOfType(EventRefusedException.class).isThrownBy(() -> question.plan(0));
      assertThat(cluster.scheduler().now()).isEqualTo(SECOND);
    }

    @Test
    void aSchedulerWithoutEventsBeginsAtAnyTime() {
      before = cluster.scheduler().digest();
      Scheduler fresh = Cluster.of(WhatIfTest::fifo).scheduler();
      fresh.whatIf().suppose(new Event.HostAdded(new HostSpec("h1", cores(2)))).plan(9 * SECOND);
      fresh.addHost(new HostSpec("h1", cores(2)), 0);
      assertThat(fresh.now()).isZero();
    }

    @Test
    void actionsStayOpen() {
      cluster.host("h1", 4).pending("a", 1);
      Plan plan = cluster.pass();
      ask().suppose(new Event.HostRemoved("h1")).plan(0);
      assertThat(cluster.scheduler().rejected(plan.id(0), "cannot", 0).undone()).hasSize(1);
      before = cluster.scheduler().digest();
    }

    @Test
    void anOpenWhatIfUsesTheStateOfEachQuestion() {
      WhatIf question = ask().suppose(new Event.HostAdded(new HostSpec("h1", cores(2))));
      assertThat(question.plan(0).plan().actions()).isEmpty();
      cluster.pending("a", 1);
      assertThat(question.plan(0).plan().actions()).hasSize(1);
      before = cluster.scheduler().digest();
    }
  }

  @Test
  void heldBackHostsOpenWhenTheirTimeIsOver() {
    Backoff times = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8));
    Cluster failing =
        Cluster.of(Scheduler.builder().hostBackoff(times).instanceBackoff(times), WhatIfTest::fifo);
    failing.host("h1", 4).pending("a", 1).pass();
    failing.failed("a");
    assertThat(failing.scheduler().whatIf().plan(0).plan().actions()).isEmpty();

    Plan later = failing.scheduler().whatIf().plan(SECOND).plan();

    assertThat(later.triggers()).contains(Trigger.HELD_BACK_ENDED);
    assertThat(later.actions()).hasSize(1);
    assertThat(failing.host("h1").closed()).containsInstanceOf(Reason.HeldBack.class);
    assertThat(failing.scheduler().explain().whyPending("a", SECOND).deferral())
        .containsInstanceOf(Reason.HeldBack.class);
    assertThat(failing.at(1).pass()).isEqualTo(later);
    before = cluster.scheduler().digest();
  }

  @Nested
  class Explanations {

    @Test
    void areOfTheStateAfterThePass() {
      cluster.host("h1", 2).pending("a", 1).pending("b", 2);

      WhyPending waits = ask().whyPending("b", 0);
      WhyPending placed =
          ask().suppose(new Event.HostAdded(new HostSpec("h2", cores(2)))).whyPending("b", 0);

      assertThat(waits.describe()).contains("cpu short by 1");
      assertThat(placed.host()).isPresent();
    }

    @Test
    void unknownInstancesAreRefused() {
      cluster.host("h1", 2);
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> ask().whyPending("b", 0))
          .withMessage("what-if: instance b is neither present nor supposed to be.");
      cluster.pending("b", 4);
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> ask().suppose(new Event.Cancelled("b")).whyPending("b", 0))
          .withMessage("what-if: instance b is done then, so it does not wait.");
    }
  }

  @Nested
  class Sizes {

    private final HostSpec kind = new HostSpec("new", cores(2));

    @Test
    void areTheLeastThatSuffice() {
      cluster.host("h1", 2);
      for (int i = 1; i <= 23; i++) {
        cluster.pending("r" + i, 1);
      }
      List<String> all = cluster.scheduler().instances().stream().map(Instance::id).toList();
      assertThat(ask().hostsNeeded(kind, all, 100, 0)).hasValue(11);
      assertThat(ask().hostsNeeded(kind, all, 11, 0)).hasValue(11);
      assertThat(ask().hostsNeeded(kind, all, 10, 0)).isEmpty();
      assertThat(ask().hostsNeeded(kind, List.of("r1"), 100, 0)).hasValue(0);
      assertThat(ask().suppose(new Event.HostRemoved("h1")).hostsNeeded(kind, all, 100, 0))
          .hasValue(12);
      assertThat(ask().hostsNeeded(kind, List.of(), 0, 0)).hasValue(0);
      cluster.pass();
      cluster.started("r1");
      assertThat(ask().hostsNeeded(kind, List.of("r1"), 100, 0)).as("it runs").hasValue(0);
    }

    @Test
    void dependOnTheKind() {
      cluster.pending(request("a", 1).constraint(new Constraint.Equal("zone", "z")));
      HostSpec inZone = new HostSpec("z", cores(2), Map.of("zone", "z"));
      assertThat(ask().hostsNeeded(kind, List.of("a"), 1000, 0)).isEmpty();
      assertThat(ask().hostsNeeded(inZone, List.of("a"), 1000, 0)).hasValue(1);
    }

    @Test
    void ignoreTheLimitOfPlacements() {
      Cluster limited = Cluster.of(Scheduler.builder().maxPlacements(1), WhatIfTest::fifo);
      limited.pending("a", 2).pending("b", 2);
      assertThat(limited.scheduler().whatIf().hostsNeeded(kind, List.of("a", "b"), 9, 0))
          .hasValue(2);
      before = cluster.scheduler().digest();
    }

    @Test
    void badQuestionsAreRefused() {
      cluster.host("new-1", 2).pending("a", 4);
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> ask().hostsNeeded(kind, List.of("a"), 4, 0))
          .withMessageContaining("host new-1 joins, but a host of that id is present");
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> ask().hostsNeeded(kind, List.of("unknown"), 4, 0));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ask().hostsNeeded(kind, List.of("a"), -1, 0))
          .withMessage("hosts to try were -1 at most, must be 0 or more.");
    }
  }

  @Nested
  class Refusals {

    @Test
    void supposedEventsAreRefusedAsActualOnesAre() {
      cluster.host("h1", 2).pending("a", 1);
      WhatIf question =
          ask().suppose(new Event.HostCordoned("h1")).suppose(new Event.HostRemoved("h9"));
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> question.plan(0))
          .withMessage("host h9 is supposed to leave, but no such host is up.");
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> ask().suppose(new Event.Cancelled("h1")).plan(0))
          .withMessageContaining(
              "instance h1 is supposed to be cancelled, but there is no such instance");
      assertThat(cluster.scheduler().stats().eventsRefused()).isZero();
    }

    @Test
    void aPolicyThatFailsChangesNothing() {
      Cluster failing = Cluster.byHand();
      failing.host("h1", 2).pending("a", 1);
      assertThatExceptionOfType(SnapshotException.class) // it does not say what it keeps
          .isThrownBy(() -> failing.scheduler().whatIf().plan(0));
      Cluster throwing =
          Cluster.of(
              parts ->
                  fifo(parts)
                      .filter(
                          (instance, host, now) -> {
                            throw new IllegalStateException("broken");
                          }));
      throwing.host("h1", 2).pending("a", 1);
      long digest = throwing.scheduler().digest();
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(
              () ->
                  throwing
                      .scheduler()
                      .whatIf()
                      .suppose(new Event.HostRemoved("h1"))
                      .suppose(new Event.HostAdded(new HostSpec("h2", cores(2))))
                      .plan(0));
      assertThat(throwing.scheduler().digest()).isEqualTo(digest);
      assertThat(throwing.host("h1").free()).isEqualTo(cores(2));
      before = cluster.scheduler().digest();
    }

    @Test
    void reportsAMemoryThatCannotBeRestored() {
      for (boolean fails : new boolean[] {true, false}) {
        Policy forgetful =
            new Policy() {
              @Override
              public void schedule(SchedulingPass pass) {
                if (fails) {
                  throw new IllegalStateException("broken");
                }
              }

              @Override
              public Optional<PolicyMemory> memory() {
                return Optional.of(
                    new PolicyMemory() {
                      @Override
                      public Map<String, Object> save() {
                        return Map.of();
                      }

                      @Override
                      public void restore(Map<String, Object> saved) {
                        throw new UnsupportedOperationException("forgotten");
                      }
                    });
              }
            };
        Cluster asked = Cluster.withPolicy(Scheduler.builder(), context -> forgetful);
        asked.host("h1", 2).pending("a", 1);
        long digest = asked.scheduler().digest();

        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(() -> asked.scheduler().whatIf().plan(0))
            .withMessage("forgotten")
            .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(fails ? 1 : 0));
        assertThat(asked.scheduler().digest()).isEqualTo(digest);
      }
      before = cluster.scheduler().digest();
    }

    @Test
    void questionsWithinAPassAreRefused() {
      AtomicReference<Scheduler> own = new AtomicReference<>();
      Cluster nested =
          Cluster.of(
              parts ->
                  fifo(parts)
                      .filter(
                          (instance, host, now) -> {
                            own.get().whatIf().plan(now);
                            return Optional.empty();
                          }));
      own.set(nested.scheduler());
      nested.host("h1", 2).pending("a", 1);
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(nested::pass)
          .havingCause()
          .isInstanceOf(IllegalStateException.class);
      before = cluster.scheduler().digest();
    }
  }
}
