package dev.berth.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.TimeLimits;
import dev.berth.api.Toleration;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.GroupStatus;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.action.OpenAction;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.ElasticActions;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.rule.ConstraintIndex;
import dev.berth.core.internal.rule.JobRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A cluster keeps jobs and constraints only as long as an instance needs them. */
class ClusterStateTest {

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);

  @Test
  void numbersHostsInJoinOrder() {
    HostRecord first = (HostRecord) events.addHost(new HostSpec("z", Resources.none()), 0);
    HostRecord second = (HostRecord) events.addHost(new HostSpec("a", Resources.none()), 0);

    assertThat(second.joined).isGreaterThan(first.joined);
  }

  @Test
  void keepsAJobUntilItsLastInstanceEnds() {
    JobRecord job = submit("a").job;
    submit("b");
    cancel("a");

    assertThat(submit("c").job).isSameAs(job);

    cancel("b");
    cancel("c");

    assertThat(submit("d").job).isNotSameAs(job);
  }

  @Test
  void keepsConstraintsUntilTheirLastRequestEnds() {
    ConstraintIndex.Entry constraints = submit("a").constraints;
    submit("b");
    cancel("a");

    assertThat(submit("c").constraints).isSameAs(constraints);

    cancel("b");
    cancel("c");

    assertThat(submit("d").constraints).isNotSameAs(constraints);
  }

  @Test
  void failedRequestAddsNoJobAndNoConstraints() {
    Pipeline.builder(state)
        .queue(
            pending -> {
              if (pending.id().equals("bad")) {
                throw new IllegalArgumentException("no");
              }
              return 0;
            })
        .build();
    InstanceRecord a = submit("a");
    assertThatThrownBy(() -> submit("bad")).hasMessage("no");

    cancel("a");
    InstanceRecord b = submit("b");

    assertThat(b.job).isNotSameAs(a.job);
    assertThat(b.constraints).isNotSameAs(a.constraints);
  }

  @Test
  void rejectedInstanceReleasesItsJobAndConstraints() {
    InstanceRecord a = submit("a");
    OpenActions.reject(state, transitions, a);
    transitions.settle(); // until then, it may come back

    assertSharesNothing(submit("b"), a);
  }

  @Test
  void aBagWhoseCancellationWasUndoneKeepsThem() {
    submitBag(OptionalLong.empty(), "a");
    InstanceRecord a = state.instanceRecord("a");
    BagRecord bag = state.bags.get("bag");
    OpenAction cancellation = OpenActions.cancel(state, transitions, bag);
    state.bringBack(List.of(a));
    state.bringBack(bag);
    cancellation.members().forEach(Before::undo);
    state.openActions().remove(cancellation);

    transitions.settle();

    InstanceRecord b = submit("b");
    assertThat(b.job).isSameAs(a.job);
    assertThat(b.constraints).isSameAs(a.constraints);
  }

  @Test
  void cancelledBagReleasesItsJobsAndConstraints() {
    submitBag(OptionalLong.empty(), "a", "b");
    InstanceRecord a = Objects.requireNonNull(state.instanceRecord("a"));

    events.cancelBag("bag", new Reason.PolicyChoice("test", "because"), 0);

    assertSharesNothing(submit("c"), a);
  }

  @Test
  void bagCancelledByAPlanReleasesThemWithTheNextPass() {
    submitBag(OptionalLong.empty(), "a", "b");
    InstanceRecord a = state.instanceRecord("a");
    OpenActions.place(state, transitions, a, addHost("h"));
    OpenActions.cancel(state, transitions, state.bags.get("bag"));
    assertThat(submit("c").job).as("it may come back").isSameAs(a.job);
    cancel("c");

    transitions.settle();

    assertThat(state.openActions().size()).isZero();
    assertSharesNothing(submit("d"), a);
  }

  @Test
  void failedBagReleasesTheJobsAndConstraintsOfItsFirstMembers() {
    JobRecord before = submit("taken").job;
    assertThatThrownBy(() -> submitBag(OptionalLong.empty(), "a", "b", "taken"))
        .hasMessageContaining("request taken is submitted");

    cancel("taken");

    assertThat(submit("d").job).isNotSameAs(before);
  }

  @Test
  void requestWithoutConstraintsNeedsNoIndex() {
    InstanceRecord plain =
        (InstanceRecord)
            events.submit(Request.builder("plain", "only").demand(Resources.none()).build(), 0);

    assertThat(plain.constraints).isNull();
    assertThat(plain.firstSlot()).isZero();
  }

  @Test
  void slotsBeginWithTheFirstHostWhereTheConstraintsHold() {
    InstanceRecord a = submit("a");
    events.addHost(new HostSpec("h0", Resources.none()), 0);
    events.addHost(new HostSpec("h1", Resources.none(), Map.of("ssd", "yes")), 0);
    events.addHost(new HostSpec("h2", Resources.none()), 0);

    assertThat(a.firstSlot()).isEqualTo(1);
    assertThat(a.nextSlot(1)).isEqualTo(-1);
  }

  /** Each event asks for the next expiry, so it must not look at every bag. */
  @Test
  void nextExpiryIsRememberedUntilItIsSeenOrChanges() {
    submitBag(OptionalLong.of(10), "a");
    assertThat(state.nextExpiry(5)).isEqualTo(10);
    BagRecord bag = state.bags.get("bag");

    bag.assign("c", OptionalLong.of(7), 0);

    assertThat(state.nextExpiry(5)).isEqualTo(10);
    assertThat(state.nextExpiry(6)).isEqualTo(10);
    state.noteExpiries();
    assertThat(state.nextExpiry(6)).isEqualTo(7);
  }

  @Test
  void nextExpiryMayBeAskedForAnEarlierTime() {
    events.offerPool(new PoolSpec("p", Resources.none(), 2), 0);
    ElasticActions actions = new ElasticActions(state, state.pools(), List::of);
    for (long expiry : new long[] {10, 20}) {
      actions.provision(
          state.pools().get("p"), 1, Optional.empty(), OptionalLong.of(expiry), new ArrayList<>());
    }
    assertThat(state.nextExpiry(15)).isEqualTo(20);

    assertThat(state.nextExpiry(5)).isEqualTo(10);
  }

  @Test
  void aChangeCountsOnceAllItsPartsHaveEnded() {
    long before = state.changes();
    state.beginChange();
    state.beginChange();
    assertThat(state.openChanges()).isEqualTo(2);
    state.endChange();
    assertThat(state.changes()).isEqualTo(before);
    state.endChange();
    assertThat(state.changes()).isEqualTo(before + 1);
    state.beginChange();
    state.revertChange();

    assertThat(state.changes()).isEqualTo(before + 1);
    assertThat(state.openChanges()).isZero();
  }

  @Test
  void lifeHasNoEndBeforeTheFirstEvent() {
    state.setProgress(Long.MIN_VALUE, 5, 0, 0, null);

    events.advanceTo(100);

    assertThat(state.latest()).isEqualTo(100 + TimeLimits.LONGEST_LIFE.toNanos());
  }

  @Test
  void whatComesBackHasItsFormerPlace() {
    for (String each : List.of("g", "h")) {
      events.submit(new GroupSpec(each, List.of(request(each + "1"))), 0, new UndoLog());
    }
    GroupRecord group = state.groups.get("g");
    InstanceRecord member = state.instanceRecord("g1");
    submit("last");
    transitions.reject(member);
    assertThat(state.group("g")).as("over, for the pass").isEmpty();
    assertThat(state.groups()).extracting(GroupStatus::id).containsExactly("h");
    transitions.forgetEnded(member);
    assertThat(state.contains(group)).isFalse();

    state.bringBack(List.of(member));
    state.bringBack(group);

    assertThat(state.instanceRecords())
        .extracting(Instance::id)
        .containsExactly("g1", "h1", "last");
    assertThat(state.groupRecords()).extracting(GroupRecord::id).containsExactly("g", "h");
    assertThat(state.contains(group)).isTrue();
  }

  @Test
  void hostsThatABudgetProtectsAreTouchedInOrderOfJoining() {
    List<HostRecord> hosts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      hosts.add(addHost("h" + i));
      InstanceRecord member = submit("m" + i);
      transitions.place(member, hosts.get(i), member.wholeDemand);
      events.started(member.id(), 0);
    }
    long before = state.versions();

    state.budgets().set("j", DisruptionBudget.maxDown(0), 0);

    assertThat(state.budgets().isUnsettled()).isFalse();
    assertThat(hosts)
        .extracting(each -> each.version() - before)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void aRemovedBudgetCountsNothing() {
    HostRecord host = addHost("h");
    for (String each : List.of("a", "b")) {
      InstanceRecord member = submit(each);
      transitions.place(member, host, member.wholeDemand);
      events.started(each, 0);
    }
    state.budgets().set("j", DisruptionBudget.maxDown(1));
    BudgetRecord budget = state.budgets().record("j");
    assertThat(state.contains(budget)).isTrue();
    assertThat(host.guarded()).isEqualTo(2);

    state.budgets().remove("j");

    assertThat(state.contains(budget)).isFalse();
    assertThat(host.guarded()).isZero();
  }

  @Test
  void aGroupIsNotOverWhileAMemberIsPendingOrOnAHost() {
    events.submit(new GroupSpec("g", List.of(request("m1"), request("m2"))), 0, new UndoLog());
    InstanceRecord member = state.instanceRecord("m1");
    transitions.place(member, addHost("h"), member.wholeDemand);
    assertThat(state.group("g")).isPresent();
    assertThat(state.groups.get("g")).hasToString("group g");

    transitions.reject(state.instanceRecord("m2"));
    assertThat(state.group("g")).isPresent();
  }

  // ---- Hosts that leave and come back

  @Test
  void aHostIsCountedAmongTheClosedOnesWhileItIsUp() {
    HostRecord host = addHost("h");
    assertThat(host.drainDeadline()).isEqualTo(Long.MAX_VALUE);
    HostChanges changes = new HostChanges(state);
    changes.changeHost(
        new HostSpec("h", Resources.none())
            .withTaints(Taint.leaveAfter("k", "v", Duration.ofNanos(5))),
        0);
    changes.cordon("h", 0);
    changes.drain("h", Drain.moving().until(7), 0);
    assertKept(host);

    events.removeHost("h", 0);
    assertThat(state.closedHosts()).isZero();
    assertThat(state.draining()).isEmpty();
    assertThat(state.expelling()).isEmpty();

    state.returnHost(host);
    assertKept(host);
    assertThat(state.nextExpiry(0)).isEqualTo(7);
    changes.uncordon("h", 0);
    assertThat(state.closedHosts()).isZero();
    assertThat(state.draining()).isEmpty();
  }

  private void assertKept(HostRecord host) {
    assertThat(state.closedHosts()).isEqualTo(1);
    assertThat(state.draining()).containsExactly(host);
    assertThat(state.expelling()).containsExactly(host);
  }

  @Test
  void aHostComesBackAsItWas() {
    Resources two = Resources.of(Dimension.CPU, 2);
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", two, Map.of("ssd", "yes")), 0);
    new HostChanges(state).foreignLoad("h", Resources.of(Dimension.CPU, 1), 0);
    state.backoffs().set(new Backoff(Duration.ofNanos(9), Duration.ofNanos(9)), null);
    state.backoffs().failed(null, host, 0);
    InstanceRecord a = submit("a");
    events.removeHost("h", 0);
    assertThat(state.backoffs().next()).isEqualTo(Long.MAX_VALUE);
    HostRecord other = addHost("other"); // in its slot, without what the request needs
    state.leaveHost(other);

    state.returnHost(host);

    assertThat(host.free(Dimension.CPU)).isEqualTo(1);
    assertThat(a.firstSlot()).isEqualTo(host.slot());
    assertThat(state.backoffs().next()).isEqualTo(9);
  }

  @Test
  void theFirstHeldBackGoesOnFirst() {
    HostRecord late = addHost("late");
    HostRecord early = addHost("early");
    HostRecord other = addHost("other");
    InstanceRecord a = submit("a");
    Backoff nine = new Backoff(Duration.ofNanos(9), Duration.ofNanos(9));
    state.backoffs().set(nine, nine);
    state.backoffs().failed(null, early, 0);
    state.backoffs().failed(null, late, 1);
    state.backoffs().failed(null, other, 1);
    assertThat(state.backoffs().next()).isEqualTo(9);
    state.backoffs().failed(a, null, 0); // its host is gone
    assertThat(a.heldUntil()).isEqualTo(9);

    events.advanceTo(9);
    state.backoffs().end(new UndoLog());

    assertThat(early.closed()).isEmpty();
    assertThat(late.closed()).isPresent();
    assertThat(state.backoffs().next()).isEqualTo(10);
    events.advanceTo(10);
    state.backoffs().end(new UndoLog());
    assertThat(state.closedHosts()).isZero();
    assertThat(state.backoffs().next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void instancesThatFailedGoOnInOrderOfTime() {
    state.backoffs().set(null, new Backoff(Duration.ofNanos(9), Duration.ofNanos(9)));
    HostRecord host = addHost("h");
    List<InstanceRecord> instances = List.of(submit("late"), submit("early"), submit("other"));
    instances.forEach(each -> transitions.place(each, host, each.wholeDemand));
    events.failed("early", 0);
    events.failed("late", 1);
    events.failed("other", 1);
    assertThat(state.backoffs().next()).isEqualTo(9);

    events.advanceTo(9);
    state.backoffs().end(new UndoLog());
    assertThat(instances).extracting(each -> each.heldBack()).containsExactly(true, false, true);
    events.advanceTo(10);
    state.backoffs().end(new UndoLog());

    assertThat(instances).extracting(each -> each.heldBack()).containsOnly(false);
    assertThat(state.backoffs().next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aTaintCountsSinceTheHostHasIt() {
    HostChanges changes = new HostChanges(state);
    HostSpec plain = new HostSpec("h", Resources.none());
    Taint leave = Taint.leaveAfter("k", "v", Duration.ofNanos(100));
    HostRecord host = (HostRecord) events.addHost(plain.withTaints(leave), -50);
    InstanceRecord a = submit("a", -50);
    PlacementSpec tolerant = PlacementSpec.builder().tolerate(Toleration.of("k")).build();
    InstanceRecord b =
        (InstanceRecord) events.submit(plainRequest("b").placement(tolerant).build(), -50);
    assertThat(host.tainted().departure(a.request())).isEqualTo(50);
    assertThat(host.tainted().departure(b.request())).as("never").isEqualTo(Long.MAX_VALUE);

    changes.changeHost(plain.withTaints(Taint.noNew("new", "v"), leave), -20);
    assertThat(host.tainted().departure(a.request())).isEqualTo(50);
    assertThat(host.taintedSince()).containsExactly(-20, -50);
    changes.changeHost(
        plain.withTaints(Taint.leaveAfter("k", "other", Duration.ofNanos(100))), -10);
    assertThat(host.tainted().departure(a.request())).isEqualTo(90);
    changes.changeHost(plain.withTaints(Taint.noNew("k", "v")), 0);
    assertThat(state.expelling()).isEmpty();
  }

  private static Request.Builder plainRequest(String id) {
    return Request.builder(id, "only").demand(Resources.none());
  }

  private HostRecord addHost(String id) {
    return (HostRecord) events.addHost(new HostSpec(id, Resources.none()), 0);
  }

  private static void assertSharesNothing(InstanceRecord newcomer, InstanceRecord former) {
    assertThat(newcomer.job).isNotSameAs(former.job);
    assertThat(newcomer.constraints).isNotSameAs(former.constraints);
  }

  private void submitBag(OptionalLong timeToLive, String... members) {
    List<Request> requests = Stream.of(members).map(ClusterStateTest::request).toList();
    Optional<Duration> limit =
        timeToLive.isEmpty()
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(timeToLive.getAsLong()));
    events.submit(new BagSpec("bag", requests, limit), 0, new UndoLog());
  }

  private InstanceRecord submit(String id) {
    return submit(id, 0);
  }

  private InstanceRecord submit(String id, long time) {
    return (InstanceRecord) events.submit(request(id), time);
  }

  /** Returns a request of one job, with the same constraints as all others. */
  private static Request request(String id) {
    return Request.builder(id, "only")
        .demand(Resources.none())
        .job("j")
        .constraint(new Constraint.Exists("ssd"))
        .build();
  }

  private void cancel(String id) {
    events.done(id, 0, true, OptionalLong.empty());
  }
}
