package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that are to start after others, in simulations. */
class DependenciesTest {

  private final Map<String, InstanceReport> reports = new HashMap<>();

  private RunResult run(Duration end, Arrival... arrivals) {
    return Simulation.builder()
        .infrastructure(hosts(3))
        .workload(workload(arrivals))
        .scheduler(TestPolicies.firstFit())
        .until(end)
        .listener(
            SimulationListener.onRequestEnded(
                outcome -> reports.put(outcome.report().id(), outcome.report())))
        .build()
        .run();
  }

  private static Arrival after(Arrival arrival, String... others) {
    return arrival.withRequest(arrival.request().withAfter(List.of(others)));
  }

  @Test
  void startsAndLivesFromTheLastCompletionOn() {
    run(
        Duration.ofHours(1),
        arrival("a", 0, s(10)),
        arrival("b", 0, s(20)),
        after(arrival("c", s(5), s(3)), "a", "b"));

    assertThat(reports.get("c").admittedAt()).isEqualTo(s(20));
    assertThat(reports.get("c").endedAt()).isEqualTo(s(23));
    assertThat(reports.get("c").waitingTime()).isZero();
  }

  @Test
  void thoseThatAreNotLiveDoNotCount() {
    run(
        Duration.ofHours(1),
        arrival("a", 0, s(10)),
        after(arrival("c", s(15), s(3)), "a", "never-there"));

    assertThat(reports.get("c").endedAt()).isEqualTo(s(18));
  }

  @Test
  void oneThatStillWaitsAtTheEndHasNoAvailability() {
    RunResult result =
        run(Duration.ofSeconds(8), arrival("a", 0, s(10)), after(arrival("c", s(5), s(3)), "a"));

    assertThat(reports.get("c").waitingTime()).isZero();
    assertThat(result.unfinished()).isEqualTo(2);
    assertThat(result.admittedAtEnd()).isEqualTo(1);
  }
}
