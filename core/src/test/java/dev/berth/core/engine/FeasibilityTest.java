package dev.berth.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Decision;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The last resort of a ranking, which is out of reach from outside: hosts of equal hashes. */
class FeasibilityTest {

  private static final Resources ROOM = Resources.of(Dimension.CPU, 8);

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));

  @Test
  void hostsWhoseHashesAreEqualGoByTheOrderInWhichTheyJoined() {
    host("second", 2);
    HostRecord first = host("first", 1);
    host("third", 3);
    InstanceRecord instance =
        (InstanceRecord) state.submit(Request.builder("a", "only").demand(ROOM).build(), 0);
    Feasibility feasibility = new Feasibility(new Pipeline.Builder(state));
    feasibility.begin(new Pass(state, 1, Set.of(), Set.of(), true, 3));

    assertThat(feasibility.choose(instance, null)).isTrue();

    assertThat(feasibility.chosenHost()).isSameAs(first);
    assertThat(feasibility.decision().top())
        .extracting(Decision.HostScore::host)
        .containsExactly("first", "second", "third");
  }

  /** A host that joined as such, in the next slot, with the hash of all others. */
  private HostRecord host(String id, long joined) {
    return new HostRecord(
        new HostSpec(id, ROOM), null, state.table(), state.table().dense(ROOM), 42, joined);
  }
}
