package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.core.TestParts;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.TransitionListener;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * What a search tells a pipeline about requests that find no host. Instances whose id begins with
 * "v" are victims, all others are protected.
 */
class ClassFailureTest {

  private static final MonotonePreemptionRule ONLY_VICTIMS =
      pair ->
          pair.victim().id().startsWith("v")
              ? MonotonePreemptionRule.Verdict.allow("victim", "a victim")
              : MonotonePreemptionRule.Verdict.refuse("other", "no victim");

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final Feasibility search =
      new Feasibility(SearchParts.preempting(state, TestParts.victimsBy(Map.of()), ONLY_VICTIMS));
  private final EquivalenceClass alike =
      new EquivalenceClass(0, Comparator.comparing(InstanceRecord::id));

  ClassFailureTest() {
    state.follow(new Follower());
  }

  @Test
  void failureHoldsForTheClassUntilAHostChanges() {
    HostRecord host = host("h", 8);
    placed("v", 4, host);
    InstanceRecord w = placed("w", 4, host);
    InstanceRecord a = waiting("a", 8);
    InstanceRecord b = waiting("b", 8);
    begin();
    assertThat(search.isKnownToFail(a)).isFalse();

    assertThat(search.choose(a, null)).isFalse();

    assertThat(search.failedForClass()).isTrue();
    assertThat(search.isKnownToFail(b)).isTrue();

    events.done(w.id(), 0, true, OptionalLong.empty());
    assertThat(search.isKnownToFail(b)).isFalse();
  }

  @Test
  void failureBesideReservationsSaysNothingAboutTheClass() {
    placed("w", 4, host("h", 8));
    InstanceRecord a = waiting("a", 8);
    begin();
    assertThat(search.choose(a, null)).isFalse();
    assertThat(search.failedForClass()).isTrue();

    assertThat(search.choose(a, nothingReserved())).isFalse();

    assertThat(search.failedForClass()).isFalse();
  }

  private Reservations nothingReserved() {
    ExpectedEnds ends = new ExpectedEnds(state.table());
    state.hostRecords().forEach(ends::joined);
    return new AvailabilityProfile(state, ends, new MostFree(state));
  }

  @Test
  void failedChoiceHasNeitherHostNorVictims() {
    HostRecord host = host("h", 8);
    placed("v", 4, host);
    placed("w", 4, host);
    begin();
    assertThatIllegalStateException().isThrownBy(search::chosenHost);

    // The search takes v before it finds that w is protected.
    assertThat(search.choose(waiting("a", 8), null)).isFalse();

    assertThatIllegalStateException().isThrownBy(search::chosenHost);
    assertThat(search.chosenVictimCount()).isZero();
  }

  private void begin() {
    search.begin(1, 0, false, 0);
  }

  private HostRecord host(String id, long capacity) {
    return (HostRecord) events.addHost(new HostSpec(id, Resources.of(Dimension.CPU, capacity)), 0);
  }

  private InstanceRecord submitted(String id, long demand) {
    Resources amounts = Resources.of(Dimension.CPU, demand);
    return (InstanceRecord) events.submit(Request.builder(id, "only").demand(amounts).build(), 0);
  }

  private InstanceRecord placed(String id, long demand, HostRecord host) {
    InstanceRecord instance = submitted(id, demand);
    transitions.place(instance, host, instance.wholeDemand);
    return instance;
  }

  /** Submits a request that is like all other waiting ones. */
  private InstanceRecord waiting(String id, long demand) {
    InstanceRecord instance = submitted(id, demand);
    instance.queuedAt(alike);
    alike.add(instance);
    return instance;
  }

  /** Tells the search what it needs to know, as a pipeline does. */
  private final class Follower implements TransitionListener {

    @Override
    public void joined(HostRecord host) {
      search.joined(host);
    }

    @Override
    public void left(HostRecord host) {
      search.left(host);
    }

    @Override
    public void changed(HostRecord host) {
      search.changed(host);
    }

    @Override
    public boolean mayMoveTo(InstanceRecord instance, HostRecord host) {
      return true;
    }

    @Override
    public void rekey(InstanceRecord instance) {}

    @Override
    public void isPending(InstanceRecord instance) {}

    @Override
    public void leavesQueue(InstanceRecord instance) {}

    @Override
    public void isOnHost(InstanceRecord instance, HostRecord host) {
      search.isOnHost(instance, host);
    }

    @Override
    public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
      search.leavesHost(instance, host, formerState);
    }
  }
}
