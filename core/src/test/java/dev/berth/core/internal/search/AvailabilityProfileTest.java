package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Free capacity of a host over time. Estimates and times are in nanoseconds. */
class AvailabilityProfileTest {

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private long now;

  private HostRecord host(Resources capacity) {
    return host(capacity, false);
  }

  private HostRecord host(Resources capacity, boolean timeShared) {
    String id = "h" + state.hostCount();
    return (HostRecord) events.addHost(new HostSpec(id, capacity, Map.of(), timeShared), now);
  }

  private InstanceRecord pending(Resources demand, long estimate) {
    return pending(
        Request.builder("i" + state.instances().size(), "gold")
            .demand(demand)
            .estimatedRunTime(Duration.ofNanos(estimate)));
  }

  private InstanceRecord pending(Request.Builder request) {
    return (InstanceRecord) events.submit(request.build(), now);
  }

  private InstanceRecord running(Resources demand, long estimate, HostRecord host) {
    InstanceRecord instance = pending(demand, estimate);
    transitions.place(instance, host, instance.wholeDemand);
    events.started(instance.id(), now);
    return instance;
  }

  private AvailabilityProfile profile() {
    AvailabilityProfile profile = new AvailabilityProfile(state, ends(), new MostFree(state));
    profile.begin(now);
    return profile;
  }

  private ExpectedEnds ends() {
    ExpectedEnds ends = new ExpectedEnds(state.table());
    for (HostRecord host : state.hostRecords()) {
      ends.joined(host);
      host.residents.forEach(each -> ends.isOnHost(each, host));
    }
    return ends;
  }

  private static long earliest(
      AvailabilityProfile profile, HostRecord host, InstanceRecord instance) {
    return profile.earliest(host, instance, instance.wholeDemand, true);
  }

  @Test
  void runStartsAtOnceIfItMayAndThereIsRoom() {
    HostRecord host = host(cores(4));
    running(cores(2), 10, host);
    InstanceRecord waiting = pending(cores(2), 5);

    assertThat(profile().earliest(host, waiting, waiting.wholeDemand, true)).isZero();
    assertThat(profile().earliest(host, waiting, waiting.wholeDemand, false)).isEqualTo(10);
  }

  @Test
  void runStartsAfterTheLastOfSeveralEnds() {
    HostRecord host = host(cores(6));
    running(cores(2), 30, host);
    running(cores(2), 10, host);
    running(cores(2), 20, host);

    assertThat(earliest(profile(), host, pending(cores(2), 5))).isEqualTo(10);
    assertThat(earliest(profile(), host, pending(cores(3), 5))).isEqualTo(20);
    assertThat(earliest(profile(), host, pending(cores(5), 5))).isEqualTo(30);
  }

  /** Otherwise a reservation at that time would count against the first end alone. */
  @Test
  void endsAtOneTimeFreeTheirRoomTogether() {
    HostRecord host = host(cores(6));
    running(cores(2), 10, host);
    running(cores(2), 10, host);
    InstanceRecord head = pending(cores(5), 100);
    InstanceRecord beside = pending(cores(1), 20);
    AvailabilityProfile profile = profile();

    profile.reserve(host, head, head.wholeDemand, earliest(profile, host, head));

    assertThat(profile.hasRoom(host, beside, beside.wholeDemand)).isTrue();
  }

  @Test
  void reservationAtOnceLeavesNoRoom() {
    HostRecord host = host(cores(4));
    InstanceRecord first = pending(cores(3), 10);
    InstanceRecord second = pending(cores(2), 5);
    AvailabilityProfile profile = profile();

    profile.reserve(host, first, first.wholeDemand, now);

    assertThat(profile.hasRoom(host, second, second.wholeDemand)).isFalse();
    assertThat(earliest(profile, host, second)).isEqualTo(10);
  }

  /** Time may be negative, so its end does not follow from an overflow. */
  @Test
  void reservationWithoutEndTakesTheRoomForEver() {
    now = -15;
    HostRecord host = host(cores(4));
    running(cores(4), 10, host);
    InstanceRecord endless = pending(request("endless", 3));
    InstanceRecord small = pending(cores(1), 5);
    InstanceRecord large = pending(cores(2), 5);
    AvailabilityProfile profile = profile();

    profile.reserve(host, endless, endless.wholeDemand, -5);

    assertThat(earliest(profile, host, small)).isEqualTo(-5);
    assertThat(earliest(profile, host, large)).isEqualTo(AvailabilityProfile.NEVER);
  }

  /** What the profile keeps of a host grows between passes. */
  @Test
  void followsManyEndsInDimensionsThatCameLater() {
    HostRecord host = host(cores(40));
    ExpectedEnds ends = ends();
    AvailabilityProfile profile = new AvailabilityProfile(state, ends, new MostFree(state));
    profile.begin(now);
    assertThat(earliest(profile, host, pending(cores(1), 5))).isZero();
    for (int end = 1; end <= 20; end++) {
      ends.isOnHost(running(cores(2), end, host), host);
    }
    pending(cores(1, 1), 5); // names memory

    profile.begin(now);

    for (int end = 1; end <= 20; end++) {
      assertThat(earliest(profile, host, pending(cores(2 * end), 5))).isEqualTo(end);
    }
  }

  @Test
  void pausedInstanceKeepsItsMemoryForEver() {
    HostRecord host = host(cores(4, 4));
    transitions.halt(running(cores(1, 2), 10, host), InstanceState.PAUSED);

    assertThat(earliest(profile(), host, pending(cores(4, 2), 5))).isZero();
    assertThat(earliest(profile(), host, pending(cores(1, 3), 5)))
        .isEqualTo(AvailabilityProfile.NEVER);
  }

  /** Time may be negative, so the end of such a run would not overflow. */
  @Test
  void longestRunNeverEndsEvenIfPartOfItIsDone() {
    now = -10;
    HostRecord host = host(cores(4));
    running(cores(4), Long.MAX_VALUE, host);
    now = -5;

    assertThat(earliest(profile(), host, pending(cores(1), 5)))
        .isEqualTo(AvailabilityProfile.NEVER);
  }

  @Test
  void runThatWouldEndBeyondTheLastInstantNeverEnds() {
    now = 1_000;
    HostRecord first = host(cores(4));
    running(cores(4), Long.MAX_VALUE - 1_001, first);
    HostRecord second = host(cores(4));
    running(cores(4), Long.MAX_VALUE - 999, second);

    assertThat(earliest(profile(), first, pending(cores(1), 5))).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(earliest(profile(), second, pending(cores(1), 5)))
        .isEqualTo(AvailabilityProfile.NEVER);
  }

  /** Neither is CPU known at first, nor do these demands have it later. */
  @Test
  void demandWithoutCpuFitsAnyHost() {
    Resources memory = Resources.of(Dimension.MEMORY, 3);
    HostRecord first = host(memory, true);
    InstanceRecord moldable =
        pending(
            Request.builder("moldable", "gold")
                .demand(memory)
                .estimatedRunTime(Duration.ofNanos(7))
                .moldability(Moldability.LINPACK));
    assertThat(earliest(profile(), first, moldable)).isZero();

    HostRecord second = host(Resources.of(Dimension.MEMORY, 3, Dimension.CPU, 1_000_000_000), true);
    assertThat(earliest(profile(), second, moldable)).isZero();
    transitions.place(moldable, second, moldable.wholeDemand);
    events.started("moldable", now);

    assertThat(earliest(profile(), second, pending(cores(9), 5))).isZero();
    assertThat(earliest(profile(), second, pending(memory, 5))).isEqualTo(7);
  }
}
