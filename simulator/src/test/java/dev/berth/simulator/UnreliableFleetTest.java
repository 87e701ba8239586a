package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.result.FaultCounts;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreliableFleetTest {

  private record Run(RunResult result, List<RequestOutcome> ends) {

    FaultCounts faults() {
      return result.faults().orElseThrow();
    }
  }

  @Test
  void needsAnEnd() {
    Simulation.Builder builder =
        Simulation.builder()
            .workload(workload(arrival("r1", 0, s(1))))
            .infrastructure(hosts(1))
            .scheduler(TestPolicies.firstFit())
            .faults(FaultSettings.MILD);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("faults were given, but no end");
  }

  @Test
  void aReportThatIsOnlyDelayedCostsNoAccuracy() {
    Run run = run("{\"delayed\": 1, \"delay\": \"20s\"}", arrival("r1", 0, s(300)));

    assertThat(run.faults().delayed()).isEqualTo(2);
    assertThat(run.faults().misjudged()).isZero();
    assertThat(run.faults().differences()).as("belief at the minutes").isLessThanOrEqualTo(1);
    assertThat(run.ends().get(0).report().serviceTime()).isEqualTo(s(300));
    assertThat(run.ends().get(0).report().endedAt()).isEqualTo(s(302));
  }

  @Test
  void whatNoReportSaysReconciliationFinds() {
    Run run = run("{\"lost\": 1, \"reconcileEvery\": \"20s\"}", arrival("r1", 0, s(30)));

    assertThat(run.faults().lost()).isEqualTo(2);
    assertThat(run.faults().reports()).isEqualTo(2);
    assertThat(run.faults().differences()).as("ready, gone").isEqualTo(2);
    assertThat(run.faults().misjudged()).as("done at 32s, known at 40s").isEqualTo(seconds(8));
    assertThat(run.result().simulated()).isEqualTo(seconds(40));
    assertThat(run.ends().get(0).report().endedAt()).as("in truth").isEqualTo(s(32));
  }

  @Test
  void reportsThatArriveTwiceChangeNothing() {
    Arrival[] requests = {arrival("r1", 0, s(30)), arrival("r2", s(5), s(30))};
    Run once = run("{}", requests);
    Run twice = run("{\"doubled\": 1}", requests);

    assertThat(twice.faults().doubled()).isEqualTo(4);
    assertThat(twice.faults().stale()).isEqualTo(4);
    assertThat(twice.ends()).isEqualTo(once.ends());
  }

  @Test
  void anInstanceWhoseStartFailsIsPlacedAgain() {
    Run run = run("{\"failedStarts\": 0.9, \"until\": \"60s\"}", arrival("r2", 0, s(30)));

    assertThat(run.faults().failedStarts()).isGreaterThan(5);
    assertThat(run.ends().get(0).report().placements())
        .isEqualTo((int) run.faults().failedStarts() + 1);
    assertThat(run.ends().get(0).report().serviceTime()).isEqualTo(s(30));
  }

  @Test
  void anInstanceWhoseStartsFailIsHeldBack() {
    Run run =
        run(
            "{\"failedStarts\": 0.9, \"until\": \"60s\", \"instanceBackoff\": \"10s\"}",
            arrival("r2", 0, s(30)));

    assertThat(run.faults().failedStarts()).isBetween(1L, 5L);
  }

  @Test
  void aRefusedActionIsTriedAgainLater() {
    Run run =
        run(
            "{\"refused\": 0.9, \"retryAfter\": \"7s\", \"until\": \"100s\"}",
            arrival("r1", 0, s(30)));

    assertThat(run.faults().refused()).isPositive();
    assertThat(run.faults().impossible()).isZero();
    assertThat(run.ends().get(0).firstPlacedAt()).hasValue(run.faults().refused() * s(7));
    assertThat(run.ends().get(0).report().placements()).isEqualTo(1);
  }

  @Test
  void aHostThatVanishesReturnsWithoutItsInstances() {
    Run run =
        run(
            "{\"driftEvery\": \"40s\", \"driftFor\": \"10s\", \"vanishing\": 1, \"until\": \"60s\"}",
            arrival("r1", 0, s(300)));

    assertThat(run.faults().drifts()).isEqualTo(1);
    assertThat(run.faults().misjudged()).isPositive();
    assertThat(run.ends().get(0).report().placements()).isEqualTo(2);
    assertThat(run.ends().get(0).report().serviceTime()).isEqualTo(s(300));
  }

  @Test
  void aPolicyThatDoesNotSayWhatItKeepsIsNotRestarted() {
    Run run = run("{\"restartEvery\": \"10s\"}", arrival("r1", 0, s(30)));

    assertThat(run.faults().restarts()).isZero();
    assertThat(run.result().completed()).isEqualTo(1);
  }

  private static Run run(String faults, Arrival... arrivals) {
    ObjectNode user = (ObjectNode) TreeBinder.parse("faults", faults);
    List<RequestOutcome> ends = new ArrayList<>();
    try (Simulation simulation =
        Simulation.builder()
            .workload(workload(arrivals))
            .infrastructure(hosts(2))
            .overheads(Overheads.of(List.of(seconds(2))))
            .scheduler(TestPolicies.firstFit())
            .faults(TreeBinder.bind("faults", "", FaultSettings.class, FaultSettings.NONE, user))
            .until(Duration.ofHours(1))
            .listener(SimulationListener.onRequestEnded(ends::add))
            .build()) {
      RunResult result = simulation.run();
      ends.sort(Comparator.comparing(each -> each.request().id()));
      return new Run(result, ends);
    }
  }
}
