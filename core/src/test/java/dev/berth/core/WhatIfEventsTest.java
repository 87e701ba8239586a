package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.FullCluster.LEAVE;
import static dev.berth.core.FullCluster.WAITING;
import static dev.berth.core.FullCluster.WHY;
import static dev.berth.core.FullCluster.host;
import static dev.berth.core.FullCluster.prepared;
import static dev.berth.core.FullCluster.requests;
import static dev.berth.core.FullCluster.tainted;
import static dev.berth.core.FullCluster.web;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each event that can be supposed triggers what the actual one would, and leaves nothing behind: a
 * cluster of which it was supposed is like one that was never asked, now and later.
 */
class WhatIfEventsTest {

  /** Suppositions, and what they trigger. */
  static Stream<Arguments> suppositions() {
    return Stream.of(
        supposed(Trigger.HOST_ADDED, new Event.HostAdded(host("n1", 3, "a"))),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("h1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("p-1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("c1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("d1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("t1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("f1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("k1")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("shared")),
        supposed(Trigger.HOST_REMOVED, new Event.HostRemoved("over")),
        supposed(Trigger.HOST_CHANGED, new Event.HostChanged(host("h1", 1, "z"))),
        supposed(Trigger.HOST_CHANGED, new Event.HostChanged(host("h1", 9, "a"))),
        supposed(Trigger.HOST_CHANGED, new Event.HostChanged(host("t1", 2, "t"))),
        supposed(
            Trigger.HOST_CHANGED,
            new Event.HostChanged(host("h2", 4, "b").withTaints(LEAVE, Taint.noNew("k", "v")))),
        supposed(Trigger.HOST_CHANGED, new Event.ForeignLoadReported("h1", cores(3))),
        supposed(Trigger.HOST_CHANGED, new Event.ForeignLoadReported("f1", Resources.none())),
        supposed(Trigger.HOST_CHANGED, new Event.HostCordoned("h1")),
        supposed(Trigger.HOST_CHANGED, new Event.HostUncordoned("c1")),
        supposed(Trigger.HOST_CHANGED, new Event.HostUncordoned("d1")),
        supposed(Trigger.HOST_CHANGED, new Event.HostDrained("h1", Drain.moving())),
        supposed(Trigger.HOST_CHANGED, new Event.HostDrained("d1", Drain.moving())),
        supposed(Trigger.LIMIT_CHANGED, new Event.LimitSet("licence", 5)),
        supposed(Trigger.BUDGET_CHANGED, new Event.BudgetSet("web", DisruptionBudget.maxDown(0))),
        supposed(Trigger.BUDGET_CHANGED, new Event.BudgetSet("new", DisruptionBudget.maxDown(0))),
        supposed(Trigger.BUDGET_CHANGED, new Event.BudgetRemoved("web")),
        supposed(Trigger.REQUEST_ADMITTED, new Event.Submitted(web("new", 1).build())),
        supposed(
            Trigger.REQUEST_ADMITTED,
            new Event.Submitted(request("new", 1).build(), Optional.of(History.since(-SECOND)))),
        supposed(
            Trigger.REQUEST_ADMITTED,
            new Event.BagSubmitted(new BagSpec("new", requests("n1", "n2")))),
        supposed(
            Trigger.REQUEST_ADMITTED,
            new Event.BagSubmitted(new BagSpec("doomed", requests("doomed1", "doomed2")))),
        supposed(
            Trigger.REQUEST_ADMITTED,
            new Event.GroupSubmitted(new GroupSpec("new", requests("n1", "n2")))),
        supposed(Trigger.INSTANCE_COMPLETED, completed("w1")),
        supposed(Trigger.INSTANCE_COMPLETED, completed("b1")),
        supposed(Trigger.INSTANCE_COMPLETED, completed("g1")),
        supposed(Trigger.INSTANCE_COMPLETED, new Event.Cancelled("s")),
        supposed(Trigger.INSTANCE_COMPLETED, new Event.Cancelled("huge")),
        supposed(Trigger.INSTANCE_COMPLETED, new Event.Cancelled("big")),
        // What is as it was already makes no pass due
        supposed(Trigger.EMBEDDER, new Event.HostChanged(tainted())),
        supposed(Trigger.EMBEDDER, new Event.ForeignLoadReported("f1", cores(1))),
        supposed(Trigger.EMBEDDER, new Event.HostCordoned("c1")),
        supposed(Trigger.EMBEDDER, new Event.HostUncordoned("h1")),
        supposed(Trigger.EMBEDDER, new Event.HostDrained("d1", WAITING)),
        supposed(Trigger.EMBEDDER, new Event.LimitSet("licence", 2)),
        supposed(Trigger.EMBEDDER, new Event.BudgetSet("web", DisruptionBudget.minUp(1))),
        supposed(Trigger.EMBEDDER, new Event.BudgetRemoved("none")),
        // One after the other
        supposed(
            Set.of(Trigger.HOST_REMOVED, Trigger.HOST_ADDED),
            new Event.HostRemoved("h1"),
            new Event.HostAdded(host("n1", 3, "n")),
            new Event.HostAdded(host("h1", 3, "n"))),
        supposed(
            Set.of(Trigger.INSTANCE_COMPLETED, Trigger.REQUEST_ADMITTED),
            completed("w1"),
            new Event.Submitted(request("w1", 2).build()),
            new Event.Cancelled("huge"),
            new Event.Cancelled("big"),
            new Event.BagSubmitted(new BagSpec("lone", List.of(request("huge", 1).build()))),
            new Event.GroupSubmitted(new GroupSpec("solo", List.of(request("big", 1).build())))));
  }

  private static Event<?> completed(String instance) {
    return new Event.CompletedNow(instance, Optional.empty());
  }

  private static Arguments supposed(Trigger trigger, Event<?> event) {
    return supposed(Set.of(trigger), event);
  }

  private static Arguments supposed(Set<Trigger> triggers, Event<?>... events) {
    return Arguments.of(List.of(events), triggers);
  }

  @ParameterizedTest
  @MethodSource("suppositions")
  void triggerAPassAndLeaveNothingBehind(List<Event<?>> events, Set<Trigger> triggers) {
    Cluster asked = prepared();
    Cluster other = prepared();
    WhatIf question = asked.scheduler().whatIf();
    events.forEach(question::suppose);

    Plan plan = question.plan(asked.now()).plan();

    assertThat(plan.triggers()).isEqualTo(triggers);
    assertSame(asked, other);
    for (int step = 0; step < FullCluster.STEPS; step++) {
      assertThat(FullCluster.next(asked, step)).isEqualTo(FullCluster.next(other, step));
      assertSame(asked, other);
    }
  }

  @ParameterizedTest
  @MethodSource("suppositions")
  void theirPlanIsThatOfTheActualEvents(List<Event<?>> events, Set<Trigger> triggers) {
    Cluster asked = prepared();
    WhatIf question = asked.scheduler().whatIf();
    events.forEach(question::suppose);
    Plan plan = question.plan(asked.now()).plan();

    events.forEach(each -> asked.scheduler().apply(each, asked.now()));

    assertDigestIsRight(asked); // which depends on what is noted as changed
    assertThat(asked.pass()).isEqualTo(plan);
    assertThat(plan.triggers()).isEqualTo(triggers);
    assertDigestIsRight(asked);
  }

  /** Those that cannot be supposed, and what happens to pools. */
  static Stream<Event<?>> withPools() {
    return Stream.concat(
        others(),
        Stream.of(
            new Event.PoolOffered(new PoolSpec("other", cores(1), 1)),
            new Event.HostRemoved("p-2"), // it did not start
            new Event.HostRemoved("p-3"))); // it is gone after its release
  }

  @ParameterizedTest
  @MethodSource("withPools")
  void digestsFollowAllOtherEvents(Event<?> event) {
    Cluster cluster = prepared();
    assertDigestIsRight(cluster);

    cluster.scheduler().apply(event, cluster.now());

    assertDigestIsRight(cluster);
  }

  private static void assertDigestIsRight(Cluster cluster) {
    assertThat(cluster.scheduler().digest()).isEqualTo(cluster.scheduler().snapshot().digest());
  }

  @Test
  void whatIsHeldBackStaysSoUntilItsTimeIsOver() {
    Cluster asked = prepared().at(50);
    Cluster other = prepared().at(50);
    for (Cluster each : List.of(asked, other)) {
      each.scheduler().setLimit("licence", 9, each.now());
    }

    Plan plan = asked.scheduler().whatIf().plan(asked.now()).plan();

    assertThat(plan.triggers()).contains(Trigger.HELD_BACK_ENDED);
    assertSame(asked, other);
    assertThat(asked.pass()).isEqualTo(plan).isEqualTo(other.pass());
    assertSame(asked, other);
  }

  private static void assertSame(Cluster asked, Cluster other) {
    FullCluster.assertAlike(asked, other);
    assertThat(asked.snapshot()).isEqualTo(other.snapshot());
    assertThat(StateDump.state(asked.scheduler()).openActions().size())
        .isEqualTo(StateDump.state(other.scheduler()).openActions().size());
  }

  // ---- What the plan shows

  @Test
  void aHistoryGivesThePlaceInTheQueue() {
    Cluster cluster = Cluster.of(parts -> parts.queue(QueueDiscipline.FIFO)).at(10);
    cluster.host("h1", 1).pending("a", 1);
    Request request = request("b", 1).build();

    assertThat(placed(cluster, new Event.Submitted(request))).containsExactly("a");
    assertThat(placed(cluster, new Event.Submitted(request, Optional.of(History.since(0)))))
        .containsExactly("b");
  }

  private static List<String> placed(Cluster cluster, Event<?> event) {
    return cluster
        .scheduler()
        .whatIf()
        .suppose(event)
        .plan(cluster.now())
        .plan()
        .placements()
        .stream()
        .map(Action.Place::instance)
        .toList();
  }

  @Test
  void aMemberThatCompletesDoesNotBreakItsGroup() {
    Cluster cluster = Cluster.of(UnaryOperator.identity()).host("h1", 2);
    List<Request> members = new ArrayList<>(requests("g1", "g2"));
    members.add(request("g3", 9).build());
    cluster.scheduler().submit(new GroupSpec("g", members, 2, GroupSpec.OnLoss.RELEASE), 0);
    cluster.pass();
    cluster.started("g1").started("g2").pass();
    WhatIf completed = cluster.scheduler().whatIf().suppose(completed("g1"));
    WhatIf cancelled = cluster.scheduler().whatIf().suppose(new Event.Cancelled("g1"));

    assertThat(completed.plan(0).plan().actions()).isEmpty();
    assertThat(cancelled.plan(0).plan().actions())
        .extracting(Action::describe)
        .containsExactly(
            "evict g2 from h1: group g has 1 of 2 members on hosts, so it starts again");
  }

  // ---- Refusals

  /** Events that cannot be supposed. */
  static Stream<Event<?>> others() {
    return Stream.of(
        new Event.PoolOffered(new PoolSpec("p", cores(3), 2)),
        new Event.LoadReported("h1", 1),
        new Event.StartedNow("s"),
        new Event.UsageReported("w1", cores(1), Resources.none()),
        new Event.FailedNow("w1"),
        new Event.ActionRejected(new ActionId(2, 0), "no"), // the release of p-3
        new Event.Adopted(
            new Adoption(request("n", 1).build(), History.since(0)),
            new ObservedInstance("n", "h1", InstanceState.RUNNING)),
        new Event.BagCancelled("bag", WHY),
        new Event.GroupCancelled("g"));
  }

  @ParameterizedTest
  @MethodSource("others")
  void otherEventsCannotBeSupposed(Event<?> event) {
    WhatIf question = Cluster.byHand().scheduler().whatIf();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> question.suppose(event))
        .withMessage(
            "event was %s, which cannot be supposed. These can: LIMIT_SET, HOST_ADDED,"
                + " HOST_REMOVED, HOST_CHANGED, FOREIGN_LOAD_REPORTED, HOST_DRAINED, HOST_CORDONED,"
                + " HOST_UNCORDONED, BUDGET_SET, BUDGET_REMOVED, SUBMITTED, BAG_SUBMITTED,"
                + " GROUP_SUBMITTED, COMPLETED_NOW, CANCELLED.",
            event.kind());
  }

  static Stream<Arguments> impossible() {
    return Stream.of(
        impossible(
            "host p-2 is supposed to join, but a plan requested or released it. Maybe another id.",
            new Event.HostAdded(host("p-2", 2, "p"))),
        impossible(
            "instance nearWeb is supposed to complete, but it is PENDING. Maybe suppose that it is"
                + " cancelled.",
            completed("nearWeb")),
        impossible(
            "instance w1 is supposed to be cancelled, but there is no such instance, or it is"
                + " done.",
            completed("w1"),
            new Event.Cancelled("w1")),
        impossible(
            "request w1 is submitted, but an instance of that id is not done.",
            new Event.Submitted(request("w1", 1).build())));
  }

  private static Arguments impossible(String refusal, Event<?>... events) {
    return Arguments.of(refusal, List.of(events));
  }

  @ParameterizedTest
  @MethodSource
  void impossible(String refusal, List<Event<?>> events) {
    Cluster asked = prepared();
    WhatIf question = asked.scheduler().whatIf();
    events.forEach(question::suppose);

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> question.plan(asked.now()))
        .withMessage(refusal);

    assertSame(asked, prepared());
  }
}
