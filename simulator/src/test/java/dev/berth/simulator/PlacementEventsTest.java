package dev.berth.simulator;

import static dev.berth.simulator.Cases.BRONZE;
import static dev.berth.simulator.Cases.GOLD;
import static dev.berth.simulator.Cases.cores;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.core.Scheduler;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.FaultCounts;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, taints and disruption budgets in a simulation, with and without a faulty fleet. */
class PlacementEventsTest {

  /** Nothing goes wrong but that the scheduler is restarted every two seconds. */
  private static final FaultSettings RESTARTS = restarts();

  private boolean faulty;

  private static FaultSettings restarts() {
    FaultSettings none = FaultSettings.NONE;
    return new FaultSettings(
        none.lost(),
        none.doubled(),
        none.delayed(),
        none.delay(),
        none.refused(),
        none.failedStarts(),
        none.badHosts(),
        none.badFor(),
        none.driftEvery(),
        none.driftFor(),
        none.vanishing(),
        Duration.ofSeconds(2),
        Duration.ofSeconds(7),
        none.retryAfter(),
        none.hostBackoff(),
        none.instanceBackoff(),
        none.until());
  }

  private Simulation simulation(Infrastructure hosts, List<HostEvent> events, Arrival... arrivals) {
    Simulation.Builder builder =
        Simulation.builder()
            .infrastructure(hosts)
            .workload(Workload.of("test requests", List.of(GOLD, BRONZE), Arrays.asList(arrivals)))
            .scheduler(
                Scheduler.builder().policy("pipeline", context -> context.pipeline().build()))
            .hostEvents(events)
            .until(seconds(100));
    if (faulty) {
      builder.faults(RESTARTS);
    }
    return builder.build();
  }

  private static Arrival arrival(String id, long at, PlacementSpec placement) {
    return new Arrival(
        at, Request.builder(id, "gold").demand(cores(1)).placement(placement).build(), s(1_000));
  }

  private static InstanceState state(Simulation simulation, double at, String id) {
    simulation.runUntil(seconds(at));
    return simulation.scheduler().instance(id).orElseThrow().state();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLimitHoldsUntilTheNextEvent(boolean faults) {
    faulty = faults;
    PlacementSpec use = PlacementSpec.builder().use("matlab", 1).build();
    try (Simulation simulation =
        simulation(
            hosts(4),
            List.of(
                new HostEvent.LimitSet(s(30), "matlab", 2),
                new HostEvent.LimitSet(s(5), "matlab", 0), // the later one of that time counts
                new HostEvent.LimitSet(s(5), "matlab", 1)),
            arrival("a", 0, use),
            arrival("b", 0, use))) {

      assertThat(state(simulation, 4, "a")).isEqualTo(InstanceState.PENDING);
      assertThat(state(simulation, 29, "a")).isEqualTo(InstanceState.RUNNING);
      assertThat(state(simulation, 29, "b")).isEqualTo(InstanceState.PENDING);
      assertThat(state(simulation, 30, "b")).isEqualTo(InstanceState.RUNNING);
      assertThat(simulation.scheduler().limits()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void taintsAct(boolean faults) {
    faulty = faults;
    PlacementSpec tolerant = PlacementSpec.builder().tolerate(Toleration.ALL).build();
    try (Simulation simulation =
        simulation(
            hosts(4),
            List.of(
                new HostEvent.Tainted(
                    s(5), "h1", List.of(Taint.leaveAfter("disk", "", Duration.ofSeconds(10)))),
                new HostEvent.Tainted(s(40), "h1", List.of())),
            arrival("a", 0, PlacementSpec.NONE),
            arrival("b", 0, tolerant),
            arrival("c", s(6), PlacementSpec.NONE))) {

      assertThat(state(simulation, 14, "a")).isEqualTo(InstanceState.RUNNING);
      assertThat(state(simulation, 14, "c")).isEqualTo(InstanceState.PENDING);
      assertThat(state(simulation, 15, "a")).isEqualTo(InstanceState.PENDING);
      assertThat(state(simulation, 39, "b")).isEqualTo(InstanceState.RUNNING);
      assertThat(state(simulation, 39, "c")).isEqualTo(InstanceState.PENDING);
      assertThat(state(simulation, 40, "a")).isEqualTo(InstanceState.RUNNING);
      assertThat(state(simulation, 40, "c")).isEqualTo(InstanceState.RUNNING);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHostRecoversWithItsLatestTaints(boolean faults) {
    faulty = faults;
    Taint taint = Taint.noNew("gpu", "a");
    try (Simulation simulation =
        simulation(
            hosts(4),
            List.of(
                new HostEvent.Fails(s(5), "h1"),
                new HostEvent.Tainted(s(6), "h1", List.of(taint)),
                new HostEvent.Recovers(s(7), "h1"),
                new HostEvent.Fails(s(20), "h1"),
                new HostEvent.Recovers(s(21), "h1")),
            arrival("a", 0, PlacementSpec.NONE))) {

      assertThat(state(simulation, 8, "a")).isEqualTo(InstanceState.PENDING);
      assertThat(simulation.scheduler().host("h1").map(Host::taints)).contains(List.of(taint));
      simulation.runUntil(seconds(22));
      assertThat(simulation.scheduler().host("h1").map(Host::taints)).contains(List.of(taint));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anArrivalSetsTheBudgetOfItsJob(boolean faults) {
    faulty = faults;
    try (Simulation simulation =
        simulation(
            hosts(4),
            List.of(),
            of("web", "a", 0, Optional.of(DisruptionBudget.minUp(1))),
            of("db", "b", 0, Optional.empty()),
            of("web", "c", s(10), Optional.empty()),
            of("web", "d", s(20), Optional.of(DisruptionBudget.maxDown(2))))) {

      simulation.runUntil(seconds(15));
      assertThat(simulation.scheduler().budget("web")).contains(DisruptionBudget.minUp(1));
      assertThat(simulation.scheduler().budget("db")).isEmpty();
      simulation.runUntil(seconds(20));
      assertThat(simulation.scheduler().budget("web")).contains(DisruptionBudget.maxDown(2));
      simulation.runUntil(seconds(25));
      assertThat(simulation.scheduler().budget("web")).contains(DisruptionBudget.maxDown(2));
      assertThat(simulation.run().faults().map(FaultCounts::restarts).orElse(50L)).isEqualTo(50);
    }
  }

  private static Arrival of(String job, String id, long at, Optional<DisruptionBudget> budget) {
    Arrival alone =
        new Arrival(at, Request.builder(id, "gold").demand(cores(1)).job(job).build(), s(1_000));
    return new Arrival(
        at,
        alone.request(),
        alone.serviceTime(),
        alone.behaviour(),
        Optional.empty(),
        Optional.empty(),
        budget);
  }

  /** A host that drifts back has the taints that it got meanwhile. */
  @Test
  void driftKeepsTaints() {
    FaultSettings none = RESTARTS;
    FaultSettings drifts =
        new FaultSettings(
            none.lost(),
            none.doubled(),
            none.delayed(),
            none.delay(),
            none.refused(),
            none.failedStarts(),
            none.badHosts(),
            none.badFor(),
            Duration.ofSeconds(3),
            Duration.ofSeconds(5),
            0.5,
            none.restartEvery(),
            none.reconcileEvery(),
            none.retryAfter(),
            none.hostBackoff(),
            none.instanceBackoff(),
            Duration.ofSeconds(40));
    for (long seed = 0; seed < 20; seed++) {
      try (Simulation simulation =
          Simulation.builder()
              .infrastructure(hosts(4, 4))
              .workload(
                  Workload.of("one", List.of(GOLD), List.of(arrival("a", 0, PlacementSpec.NONE))))
              .scheduler(
                  Scheduler.builder().policy("pipeline", context -> context.pipeline().build()))
              .hostEvents(
                  List.of(
                      new HostEvent.Tainted(s(11), "h1", List.of(Taint.noNew("gpu", "a"))),
                      new HostEvent.Tainted(s(22), "h1", List.of(Taint.noNew("gpu", "b"))),
                      new HostEvent.Tainted(s(33), "h2", List.of(Taint.noNew("gpu", "c")))))
              .faults(drifts)
              .seed(seed)
              .until(seconds(100))
              .build()) {
        simulation.runUntil(seconds(60));
        assertThat(simulation.scheduler().host("h1").map(Host::taints))
            .as("seed %s", seed)
            .contains(List.of(Taint.noNew("gpu", "b")));
        assertThat(simulation.scheduler().host("h2").map(Host::taints))
            .as("seed %s", seed)
            .contains(List.of(Taint.noNew("gpu", "c")));
      }
    }
  }

  /** The simulation itself compares the accounts of each instance. */
  @Test
  void theStartAfterAnEvictionIsARestart() {
    List<RequestOutcome> outcomes = new ArrayList<>();
    Arrival arrival = new Arrival(0, Request.builder("a", "gold").demand(cores(1)).build(), s(20));
    RunResult result =
        Simulation.builder()
            .infrastructure(hosts(4))
            .workload(Workload.of("one", List.of(GOLD), List.of(arrival)))
            .scheduler(
                Scheduler.builder().policy("pipeline", context -> context.pipeline().build()))
            .overheads(Cases.coldAndHot(3, 2))
            .hostEvents(
                List.of(
                    new HostEvent.Tainted(
                        s(10), "h1", List.of(Taint.leaveAfter("disk", "", Duration.ZERO))),
                    new HostEvent.Tainted(s(15), "h1", List.of())))
            .listener(SimulationListener.onRequestEnded(outcomes::add))
            .build()
            .run();

    assertThat(outcomes).hasSize(1);
    assertThat(outcomes.get(0).report().restartOverhead()).isEqualTo(s(2));
    assertThat(outcomes.get(0).report().preemptions()).isZero();
    assertThat(outcomes.get(0).report().endedAt()).isEqualTo(s(3 + 7 + 5 + 2 + 13));
    assertThat(result.lostWork()).isZero(); // which preemptions cost
  }

  @Test
  void refusesBadEvents() {
    assertThatThrownBy(() -> new HostEvent.LimitSet(0, " ", 1))
        .hasMessage("the name of a limit was blank.");
    assertThatThrownBy(() -> new HostEvent.LimitSet(0, "a", -1))
        .hasMessage("amount of limit a was -1, must not be negative.");
    assertThatThrownBy(
            () ->
                new HostEvent.Tainted(
                    0, "h1", List.of(Taint.noNew("a", "1"), Taint.noNew("a", "2"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two taints with the key a");
    assertThatThrownBy(
            () -> simulation(hosts(1), List.of(new HostEvent.Tainted(s(1), "h2", List.of()))))
        .hasMessage("host h2 has other taints at 1s, but the infrastructure has no such host.");
    assertThatThrownBy(() -> simulation(hosts(1), List.of(new HostEvent.LimitSet(-1, "matlab", 1))))
        .hasMessage("limit matlab is set at -1ns, must not be before the start.");
    Arrival protectedOne = of("web", "a", 0, Optional.of(DisruptionBudget.minUp(1)));
    assertThatThrownBy(() -> protectedOne.withRequest(noJob()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has the disruption budget \"at least 1 up\", must have a job.");
  }

  private static Request noJob() {
    return Request.builder("a", "gold").demand(cores(1)).build();
  }
}
