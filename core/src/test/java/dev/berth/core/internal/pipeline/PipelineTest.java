package dev.berth.core.internal.pipeline;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.Backfill;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.pass.PassLog;
import dev.berth.core.internal.pipeline.HostDiagnosis.HostFinding;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the engine asks of a pipeline, which no policy can see. */
class PipelineTest {

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));

  @Test
  void tellsWhatItOversubscribes() {
    Set<Dimension> memory = Set.of(Dimension.MEMORY);

    assertThat(Pipeline.builder(state).oversubscribe(memory).build().oversubscribes())
        .isEqualTo(memory);
  }

  @ParameterizedTest
  @EnumSource(
      value = Backfill.class,
      names = {"NONE", "AGGRESSIVE"})
  void detectsAnInstanceThatIsNotInTheQueue(Backfill backfill) {
    Pipeline pipeline = (Pipeline) Pipeline.builder(state).backfill(backfill).build();
    InstanceRecord waiting = (InstanceRecord) events.submit(request("a", 1).build(), 0);
    pipeline.leavesQueue(waiting);

    assertThatIllegalStateException()
        .isThrownBy(() -> pipeline.leavesQueue(waiting))
        .withMessageContaining("is not in its place in the queue");
  }

  @Test
  void hostWithRoomIsFeasible() {
    events.addHost(new HostSpec("h1", cores(2)), 0);
    events.addHost(new HostSpec("h2", cores(1)), 0);

    List<HostFinding> findings =
        new HostDiagnosis(state).examine(events.submit(request("a", 2).build(), 0), 0);

    assertThat(findings).extracting(HostFinding::feasible).containsExactly(true, false);
    assertThat(findings.get(0).obstacle()).isEqualTo(Optional.empty());
  }

  @Test
  void instanceOfAnotherClusterWaitsForNone() {
    Pipeline pipeline = (Pipeline) Pipeline.builder(state).backfill(Backfill.NONE).build();
    pipeline.restoreQueue(1, (InstanceRecord) events.submit(request("head", 1).build(), 0));
    ClusterState other = new ClusterState(0, List.of(Cluster.GOLD));
    Instance stranger =
        new ClusterEvents(other, new Transitions(other)).submit(request("a", 1).build(), 0);

    assertThat(new HostDiagnosis(state).waitsFor(stranger, true)).isNull();
  }

  /** A search whose result the guard refuses is wrong, or the hosts have changed since. */
  @Test
  void placementThatTheGuardRefusesFailsThePass() {
    Pipeline pipeline = (Pipeline) Pipeline.builder(state).build();
    Transitions transitions = new Transitions(state);
    events.addHost(new HostSpec("h1", cores(2)), 0);
    InstanceRecord waiting = (InstanceRecord) events.submit(request("a", 2).build(), 0);
    Pass pass =
        new Pass(
            state,
            transitions,
            new PassLog(state.openActions(), transitions),
            1,
            Set.of(),
            Set.of(),
            false,
            0,
            9);
    pipeline.feasibility().begin(1, pass.groupBits(), false, 0);
    assertThat(pipeline.feasibility().choose(waiting, null)).isTrue();
    new HostChanges(state).cordon("h1", 0);

    assertThatIllegalStateException()
        .isThrownBy(() -> Placement.carryOut(pass, waiting, pipeline.feasibility()))
        .withMessageStartingWith("the pipeline chose host h1 for instance a")
        .withMessageContaining("which the guard refuses: ");
  }
}
