package dev.berth.testkit.reference;

import static dev.berth.testkit.TestCluster.cpu;
import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.InstanceSnapshot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ledger of an instance that is resized, paused, suspended or migrated; times in ns. */
class ReferenceInstanceTest {

  private static final Resources DEMAND = cpuAndMemory(2, 2);

  private final ReferenceCluster cluster =
      new ReferenceCluster(List.of(ServiceClass.builder("gold").build()));

  ReferenceInstanceTest() {
    cluster.apply(new Event.HostAdded(new HostSpec("h1", cpuAndMemory(4, 4))), 0);
    cluster.apply(new Event.HostAdded(new HostSpec("h2", cpuAndMemory(4, 4))), 0);
    cluster.apply(new Event.Submitted(Request.builder("r", "gold").demand(DEMAND).build()), 0);
  }

  private ReferenceInstance instance() {
    return cluster.instance("r").orElseThrow();
  }

  private void running() {
    LedgerCalls.place(cluster, "r", "h1", 1, 0);
    cluster.started("r", 10);
  }

  @Test
  void pausedInstanceReleasesItsCpuAndStopsServing() {
    running();
    LedgerCalls.pause(cluster, "r", 30);
    assertThat(instance().state()).isEqualTo(InstanceState.PAUSED);
    assertThat(instance().stateSince()).isEqualTo(30);
    assertThat(instance().serviceTime(90)).isEqualTo(20);
    assertThat(instance().waitingTime(90)).isEqualTo(70);
    assertThat(instance().granted()).isEqualTo(DEMAND);
    assertThat(cluster.free("h1")).isEqualTo(cpuAndMemory(4, 2));
  }

  @Test
  void suspendedInstanceHoldsNothingButStaysOnItsHost() {
    running();
    LedgerCalls.suspend(cluster, "r", 30);
    assertThat(instance().state()).isEqualTo(InstanceState.SUSPENDED);
    assertThat(instance().hostId()).contains("h1");
    assertThat(instance().serviceTime(90)).isEqualTo(20);
    assertThat(cluster.free("h1")).isEqualTo(cpuAndMemory(4, 4));
    assertThat(cluster.residents(cluster.hosts().get(0))).containsExactly(instance());
  }

  @Test
  void resumedInstanceStartsAgain() {
    running();
    LedgerCalls.pause(cluster, "r", 30);
    LedgerCalls.suspend(cluster, "r", 40);
    LedgerCalls.resume(cluster, "r", cpuAndMemory(1, 3), 50);
    assertThat(instance().state()).isEqualTo(InstanceState.STARTING);
    assertThat(cluster.free("h1")).isEqualTo(cpuAndMemory(3, 1));
    cluster.started("r", 60);
    assertThat(instance().serviceTime(65)).isEqualTo(25);
    assertThat(instance().runs(65))
        .containsExactly(new Metrics.Run(10, 30), new Metrics.Run(60, 65));
  }

  @Test
  void migrationKeepsServiceAndPlacements() {
    running();
    cluster.apply(new Event.UsageReported("r", cpu(1), Resources.none()), 15);
    LedgerCalls.migrate(cluster, "r", "h2", cpuAndMemory(2, 1), 2, 30);
    assertThat(instance().reports()).isEmpty();
    assertThat(cluster.free("h1")).isEqualTo(cpuAndMemory(4, 4));
    assertThat(cluster.free("h2")).isEqualTo(cpuAndMemory(2, 3));
    assertThat(instance().currentStay().orElseThrow().pass()).isEqualTo(2);
    cluster.started("r", 40);
    assertThat(instance().standing(45))
        .isEqualTo(
            new InstanceSnapshot(
                "r",
                InstanceState.RUNNING,
                40,
                Optional.of("h2"),
                25,
                20,
                0,
                1,
                0,
                Optional.of(cpuAndMemory(2, 1)),
                1));
  }

  @Test
  void onlyTheFirstStartAfterAPreemptionIsARestart() {
    running();
    LedgerCalls.preempt(cluster, "r", 20);
    LedgerCalls.place(cluster, "r", "h1", 2, 30);
    cluster.started("r", 37);
    LedgerCalls.pause(cluster, "r", 40);
    LedgerCalls.resume(cluster, "r", DEMAND, 50);
    cluster.started("r", 55);
    LedgerCalls.migrate(cluster, "r", "h2", DEMAND, 3, 60);
    cluster.started("r", 80);
    assertThat(instance().restartOverhead()).isEqualTo(7);
    assertThat(instance().placements()).isEqualTo(2);
    assertThat(instance().preemptions()).isEqualTo(1);
    assertThat(instance().migrations()).isEqualTo(1);
  }

  @Test
  void grantEndsWithTheStayOnTheHost() {
    running();
    LedgerCalls.resize(cluster, "r", cpuAndMemory(3, 3));
    assertThat(instance().stateSince()).isEqualTo(10);
    assertThat(instance().held(Dimension.CPU)).isEqualTo(3_000_000_000L);
    cluster.apply(new Event.FailedNow("r"), 20);
    assertThat(instance().granted()).isEqualTo(DEMAND);
    assertThat(instance().held(Dimension.CPU)).isZero();
  }

  @Test
  void refusesInvalidActions() {
    assertThatIllegalArgumentException().isThrownBy(() -> LedgerCalls.pause(cluster, "r", 1));
    running();
    assertThatIllegalArgumentException().isThrownBy(() -> LedgerCalls.reject(cluster, "r", 11));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerCalls.resume(cluster, "r", DEMAND, 11));
    LedgerCalls.suspend(cluster, "r", 12);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerCalls.resize(cluster, "r", DEMAND))
        .withMessage("instance r is SUSPENDED, must be STARTING or RUNNING or PAUSED.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerCalls.migrate(cluster, "r", "h3", DEMAND, 2, 12));
    cluster.apply(new Event.FailedNow("r"), 13);
    assertThatIllegalArgumentException().isThrownBy(() -> LedgerCalls.reject(cluster, "r", 14));
  }

  @Test
  void rejectedInstanceIsRemoved() {
    LedgerCalls.reject(cluster, "r", 5);
    assertThat(cluster.instances()).isEmpty();
  }
}
