package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
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
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a decision records, also of hosts of equal hashes, which no public call can produce. */
class FeasibilityTest {

  private static final Resources ROOM = Resources.of(Dimension.CPU, 8);

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);

  @Test
  void breaksEqualHashesByJoinOrder() {
    host("second", 2);
    HostRecord first = host("first", 1);
    host("third", 3);
    InstanceRecord instance = pending(request("a"));
    Feasibility feasibility = new Feasibility(SearchParts.plain(state));
    feasibility.begin(1, SeededTieBreaker.groupBits(state.hostCount()), true, 3);

    assertThat(feasibility.choose(instance, null)).isTrue();

    assertThat(feasibility.chosenHost()).isSameAs(first);
    assertThat(feasibility.decision().top())
        .extracting(Decision.HostScore::host)
        .containsExactly("first", "second", "third");
  }

  @Test
  void preferencesDecideBeforeEqualHashes() {
    host("plain", 1);
    host("fast", 2, Map.of("disk", "ssd"));
    PlacementSpec wish =
        PlacementSpec.builder()
            .prefer(new Preference.OnHost(new Constraint.Equal("disk", "ssd"), 1))
            .build();
    InstanceRecord instance = pending(request("a").placement(wish));
    Feasibility feasibility = new Feasibility(SearchParts.plain(state));
    feasibility.begin(1, 0, true, 2);

    assertThat(feasibility.choose(instance, null)).isTrue();

    assertThat(feasibility.decision().top())
        .extracting(Decision.HostScore::host)
        .containsExactly("fast", "plain");
  }

  /** Only hosts where it is used already are evaluated, so others with room are not counted. */
  @Test
  void hostsWithRoomAreNotCountedIfALimitIsScarce() {
    HostRecord first = (HostRecord) events.addHost(new HostSpec("first", ROOM), 0);
    events.addHost(new HostSpec("second", ROOM), 0);
    events.setLimit("matlab", 1, 0);
    PlacementSpec licence = PlacementSpec.builder().usePerHost("matlab", 1).build();
    InstanceRecord user =
        pending(Request.builder("user", "only").demand(Resources.none()).placement(licence));
    transitions.place(user, first, user.wholeDemand);
    InstanceRecord instance = pending(request("a").placement(licence));
    Feasibility feasibility = new Feasibility(SearchParts.plain(state));
    feasibility.begin(1, 0, true, 0);

    assertThat(feasibility.choose(instance, null)).isTrue();

    assertThat(feasibility.chosenHost()).isSameAs(first);
    assertThat(feasibility.decision().roomyHosts()).isEqualTo(-1);
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, "only").demand(ROOM);
  }

  private InstanceRecord pending(Request.Builder request) {
    return (InstanceRecord) events.submit(request.build(), 0);
  }

  private HostRecord host(String id, long joined) {
    return host(id, joined, Map.of());
  }

  /** Adds a host in the next slot with the same hash as all others. */
  private HostRecord host(String id, long joined, Map<String, String> attributes) {
    HostSpec spec = new HostSpec(id, ROOM, attributes);
    return new HostRecord(spec, null, state.table(), state.table().dense(ROOM), 42, joined);
  }
}
