package dev.berth.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.HostSpec;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.error.ConfigException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ScenariosTest {

  private static final int PASSES = 30; // enough to fill the cluster of "fill"

  static Stream<Arguments> runs() {
    return Scenarios.all().keySet().stream()
        .flatMap(
            name ->
                Stream.of("qos-driven", "qos-hysteresis", "qos-attained", "priority")
                    .map(policy -> Arguments.of(name, policy)))
        // Under one, equals do not preempt; under the other, not what has just started again.
        .filter(each -> !List.of(each.get()).equals(List.of("contended-equals", "priority")))
        .filter(each -> !List.of(each.get()).equals(List.of("contended-equals", "qos-attained")));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void runsAsDescribed(String name, String policy) {
    ScenarioRun run = smoke(name, policy);
    for (int i = 0; i < PASSES; i++) {
      run.next();
      assertThat(run.pendingCount()).isEqualTo(run.batch());
      run.check(run.pass());
    }
  }

  @Test
  void requestsWithoutEligibleVictimsStayPending() {
    ScenarioRun run = smoke("saturated-pass", "qos-driven");
    run.next();
    run.check(run.pass());
    run.waitForWatchdog();
    run.check(run.pass());
    assertThat(run.pendingCount()).isEqualTo(run.batch());
  }

  @Test
  void detectsAnUnexpectedPlan() {
    ScenarioRun run = smoke("contended", "qos-driven");
    run.next();
    Plan plan = run.pass();
    run.check(plan);
    run.waitForWatchdog();
    Plan without =
        new Plan(1, 0, plan.triggers(), plan.actions().subList(1, plan.actions().size()));
    assertThatThrownBy(() -> run.check(without))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("expected 10 placements and 10 preemptions, got 10 and 9 among 19 actions.");
  }

  @Test
  void largerClusterBeginsWithTheSmallerOne() {
    for (BenchmarkScenario each : Scenarios.all().values()) {
      assertThat(each.hosts(30).subList(0, 10)).isEqualTo(each.hosts(10));
      assertThat(each.hosts(30)).extracting(HostSpec::id).doesNotHaveDuplicates();
    }
  }

  @Test
  void reportsAllProblemsOfTheFile() {
    String json =
        """
        {"a": {"ocupancy": 1}, "b": {"occupancy": 2, "arrivals": ["platinum"]},
         "c": {"smoke": {"hosts": [1, 1]}}}
        """;
    assertThatThrownBy(() -> Scenarios.parse("s.json", json))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("s.json: a.ocupancy was 1, but there is no such key")
        .hasMessageContaining("s.json: b.occupancy was 2, must be in [0, 1].")
        .hasMessageContaining(
            "s.json: b.arrivals was [\"platinum\"], must be some of gold, silver, bronze.")
        .hasMessageContaining(
            "s.json: c.smoke.hosts was [1,1], must be positive numbers, each once.");
  }

  @Test
  void refusesUnknownScenarioAndListsTheKnown() {
    assertThatThrownBy(() -> Scenarios.get("fil"))
        .hasMessageStartingWith("scenario was fil, must be one of fill, churn, ");
  }

  private static ScenarioRun smoke(String name, String policy) {
    BenchmarkScenario scenario = Scenarios.get(name);
    return new ScenarioRun(
        scenario,
        scenario.smoke().hosts().get(0),
        scenario.smoke().batch(),
        Scheduler.builder().policy(policy).decisionLog(0));
  }
}
