package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Moldability;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When instances are expected to end. Estimates and times are in nanoseconds. */
class ExpectedEndsTest {

  private static final int MEMORY = 0; // the first dimension that a host names
  private static final int CPU = 1;

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final ExpectedEnds ends = new ExpectedEnds(state.table());
  private final HostRecord host;

  ExpectedEndsTest() {
    events.addHost(new HostSpec("disk", Resources.of(Dimension.MEMORY, 1)), 0);
    host = (HostRecord) events.addHost(new HostSpec("h", cores(8, 8)), 0);
    ends.joined(host);
  }

  private InstanceRecord running(Request.Builder request, int dimension, long granted) {
    InstanceRecord instance = (InstanceRecord) events.submit(request.build(), 0);
    Grant grant = instance.wholeDemand.withAmount(dimension, granted, state.table());
    transitions.place(instance, host, grant);
    events.started(instance.id(), 0);
    ends.isOnHost(instance, host);
    return instance;
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, "gold").demand(cores(4, 3)).moldability(Moldability.LINPACK);
  }

  /** Half of the cores take 2.1 times as long; fewer of anything else make no difference. */
  @Test
  void fewerCoresTakeLonger() {
    InstanceRecord later = running(estimated("half"), CPU, 2_000_000_000);
    InstanceRecord sooner = running(estimated("whole"), MEMORY, 1_000_000_000);

    ExpectedEnds.Walk walk = ends.of(host, 0);

    assertThat(walk.time()).isEqualTo(10);
    assertThat(walk.poll()).isSameAs(sooner);
    assertThat(walk.time()).isEqualTo(21);
    assertThat(walk.poll()).isSameAs(later);
    assertThat(walk.time()).isEqualTo(RunTimes.NEVER);
    assertThatIllegalStateException().isThrownBy(walk::poll).withMessage("no end is left");
  }

  private static Request.Builder estimated(String id) {
    return request(id).estimatedRunTime(Duration.ofNanos(10));
  }

  @Test
  void instanceWithoutEstimateNeverEndsEvenIfItHasRun() {
    InstanceRecord endless = running(request("endless"), CPU, 2_000_000_000);
    assertThat(ends.of(host, 5).time()).isEqualTo(RunTimes.NEVER);
    events.failed("endless", 5);

    assertThat(RunTimes.remaining(endless, endless.demand, CPU, 5)).isEqualTo(RunTimes.NEVER);
  }

  @Test
  void whatIsLeftOfTheLongestRunTimeDependsOnWhetherProgressIsLost() {
    Duration longest = Duration.ofNanos(8);
    InstanceRecord keeps = running(estimated("keeps").maxRunTime(longest), MEMORY, 1);
    InstanceRecord loses =
        running(request("loses").maxRunTime(longest).losesProgress(true), MEMORY, 1);
    assertThat(ends.of(host, 5).time()).isEqualTo(8);
    events.failed("keeps", 5);
    events.failed("loses", 5);

    assertThat(RunTimes.remaining(keeps, keeps.demand, CPU, 5)).isEqualTo(3);
    assertThat(RunTimes.remaining(loses, loses.demand, CPU, 5)).isEqualTo(8);
  }

  @Test
  void hostThatHasNotJoinedHasNoEnds() {
    ends.left(host);

    assertThatIllegalStateException()
        .isThrownBy(() -> ends.of(host, 0))
        .withMessage("host h has not joined");
  }
}
