package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The last tie-break of a ranking, hosts of equal hashes, which no public call can produce. */
class FeasibilityTest {

  private static final Resources ROOM = Resources.of(Dimension.CPU, 8);

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));

  @Test
  void breaksEqualHashesByJoinOrder() {
    host("second", 2);
    HostRecord first = host("first", 1);
    host("third", 3);
    InstanceRecord instance =
        (InstanceRecord)
            new ClusterEvents(state, new Transitions(state))
                .submit(Request.builder("a", "only").demand(ROOM).build(), 0);
    Feasibility feasibility = new Feasibility(parts(state, AllocationScores.leastRequested()));
    feasibility.begin(1, SeededTieBreaker.groupBits(state.hostCount()), true, 3);

    assertThat(feasibility.choose(instance, null)).isTrue();

    assertThat(feasibility.chosenHost()).isSameAs(first);
    assertThat(feasibility.decision().top())
        .extracting(Decision.HostScore::host)
        .containsExactly("first", "second", "third");
  }

  /** Returns parts that preempt nothing. */
  static PipelineParts parts(ClusterState state, AllocationScore score) {
    return new PipelineParts(
        state,
        null,
        null,
        score,
        PreemptionCost.fewestVictims(),
        false,
        true,
        List.of(),
        null,
        TieBreak.SEEDED,
        Set.of());
  }

  /** Adds a host in the next slot with the same hash as all others. */
  private HostRecord host(String id, long joined) {
    return new HostRecord(
        new HostSpec(id, ROOM), null, state.table(), state.table().dense(ROOM), 42, joined);
  }
}
