package dev.berth.core.internal.pass;

import static dev.berth.core.decision.SeededTieBreaker.combine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Trigger;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a pass keeps in its log, and the numbers that it gives to its policy. */
class PassTest {

  private static final long SEED = 7;

  private final ClusterState state = new ClusterState(SEED, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final PassLog log = new PassLog(state.openActions(), transitions);

  private Pass open(long number) {
    return new Pass(
        state,
        transitions,
        log,
        number,
        Set.of(Trigger.EMBEDDER),
        Set.of(),
        false,
        0,
        Integer.MAX_VALUE);
  }

  @Test
  void leavesAnEmptyLog() {
    Pass pass = open(1);
    InstanceRecord waiting =
        (InstanceRecord)
            events.submit(Request.builder("a", "gold").demand(Resources.none()).build(), 0);
    pass.actions().defer(waiting, new Reason.PolicyChoice("test", "because"));
    assertThat(log.size()).isEqualTo(1);

    pass.run(view -> {});
    assertThat(pass.finish(decision -> {}, action -> {}).deferrals()).containsOnlyKeys("a");

    assertThat(log.size()).isZero();
  }

  /** A drain whose choice the guard refuses is wrong. */
  @Test
  void moveThatTheGuardRefusesFailsThePass() {
    HostRecord large = (HostRecord) events.addHost(new HostSpec("h1", Cluster.cores(1)), 0);
    HostRecord small = (HostRecord) events.addHost(new HostSpec("h2", Resources.none()), 0);
    InstanceRecord running = (InstanceRecord) events.submit(Cluster.request("a", 1).build(), 0);
    transitions.place(running, large, running.wholeDemand);
    events.started("a", 0);
    Reason why = new Reason.HostDrained("h1", false);

    assertThatIllegalStateException()
        .isThrownBy(() -> open(1).actions().moveTo(running, small, why))
        .withMessageStartingWith("the drain chose host h2 for instance a")
        .withMessageContaining("which the guard refuses: ");
  }

  @Test
  void notesOnlyEarlierWakeUps() {
    Pass pass = open(1);

    pass.wakeBy(5);
    pass.wakeBy(5);
    pass.wakeBy(6);
    assertThat(pass.mark()).isEqualTo(1);
    pass.wakeBy(4);

    assertThat(pass.mark()).isEqualTo(2);
    assertThat(pass.wakeAt()).isEqualTo(4);
    pass.undoTo(1);
    assertThat(pass.wakeAt()).isEqualTo(5);
  }

  @Test
  void drawsTheHashesOfACounterThatStartsAtOne() {
    long key = combine(SEED, 3, 0);
    RandomGenerator random = open(3).view().random();

    assertThat(List.of(random.nextLong(), random.nextLong()))
        .containsExactly(combine(key, 1, 0), combine(key, 2, 0));
  }

  @Test
  void dividesTheHostsIntoGroupsByTheirNumberAtItsBegin() {
    for (int i = 1; i < 128; i++) {
      events.addHost(new HostSpec("h" + i, Resources.none()), 0);
    }
    Pass before = open(1);
    events.addHost(new HostSpec("h128", Resources.none()), 0);

    assertThat(before.groupBits()).isEqualTo(1);
    assertThat(open(2).groupBits()).isEqualTo(2);
  }

  @Test
  void actionsThatCanStillBeUndoneKeepNoHostOfThePlan() {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h1", Resources.none()), 0);
    InstanceRecord waiting =
        (InstanceRecord)
            events.submit(Request.builder("a", "gold").demand(Resources.none()).build(), 0);
    Pass pass = open(1);
    PassLog.OnInstance[] entry = new PassLog.OnInstance[1];
    pass.run(
        view -> {
          view.place(waiting, host);
          entry[0] = (PassLog.OnInstance) log.get(0);
        });
    assertThat(entry[0].host()).isSameAs(host);

    assertThat(pass.finish(decision -> {}, action -> {}).placements()).hasSize(1);

    assertThat(entry[0].isOpen()).isTrue();
    assertThat(entry[0].host()).isNull();
  }
}
