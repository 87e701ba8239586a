package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
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
    Feasibility feasibility = new Feasibility(SearchParts.plain(state));
    feasibility.begin(1, SeededTieBreaker.groupBits(state.hostCount()), true, 3);

    assertThat(feasibility.choose(instance, null)).isTrue();

    assertThat(feasibility.chosenHost()).isSameAs(first);
    assertThat(feasibility.decision().top())
        .extracting(Decision.HostScore::host)
        .containsExactly("first", "second", "third");
  }

  /** Adds a host in the next slot with the same hash as all others. */
  private HostRecord host(String id, long joined) {
    return new HostRecord(
        new HostSpec(id, ROOM), null, state.table(), state.table().dense(ROOM), 42, joined);
  }
}
