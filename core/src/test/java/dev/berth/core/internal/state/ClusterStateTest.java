package dev.berth.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Action;
import dev.berth.api.BagSpec;
import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.action.OpenAction;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.ElasticActions;
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
    OpenAction entry = new OpenAction();
    entry.noteBefore(a, transitions);

    transitions.reject(a);
    entry.decided(1, 0, new Action.Reject("a", new Reason.PolicyChoice("test", "because")));
    state.openActions().add(entry);
    transitions.forgetRefused(a);
    transitions.settle(); // until then, it may come back

    assertSharesNothing(submit("b"), a);
  }

  @Test
  void cancelledBagReleasesItsJobsAndConstraints() {
    submitBag(OptionalLong.empty(), "a", "b");
    InstanceRecord a = Objects.requireNonNull(state.instanceRecord("a"));

    events.cancelBag("bag", new Reason.PolicyChoice("test", "because"), 0);

    assertSharesNothing(submit("c"), a);
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

    bag.expiresAt = OptionalLong.of(7);

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
    return (InstanceRecord) events.submit(request(id), 0);
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
