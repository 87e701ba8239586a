package dev.berth.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.FaultCounts;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.test.TestRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Policies on fleets that misbehave. The simulation itself checks, after each reconciliation, that
 * the scheduler believes the truth, and that its account of each service differs from the true one
 * by no more than {@link Simulation} says.
 */
class UnreliableFleetsTest {

  private static final int HISTORIES = TestRun.isFixed() ? 1_000 : TestRun.cases(50_000);
  private static final int RUNS_TWICE = 100;

  private static final PolicyRegistry REGISTRY = PolicyRegistry.load();

  record Choice(String policy, String config) {

    boolean isElastic() {
      return policy.startsWith("elastic-") || policy.equals("queue-depth");
    }

    Scheduler.Builder scheduler() {
      return Scheduler.builder().registry(REGISTRY).policy(policy, config).decisionLog(0);
    }
  }

  private static List<Choice> shipped() {
    return REGISTRY.ids().stream()
        .filter(id -> REGISTRY.get(id).getClass().getName().startsWith("dev.berth.policies."))
        .map(id -> new Choice(id, "{}"))
        .toList();
  }

  private static List<Choice> choices() {
    List<Choice> choices = new ArrayList<>(shipped());
    choices.add(new Choice("qos-hysteresis", "{\"overload\":\"fulfilment\"}"));
    for (String backfill : List.of("aggressive", "easy", "conservative")) {
      choices.add(new Choice("first-fit", "{\"backfill\":\"%s\"}".formatted(backfill)));
      choices.add(new Choice("memic", "{\"backfill\":\"%s\",\"patience\":2}".formatted(backfill)));
    }
    return choices;
  }

  @Test
  void everyPolicyEndsAllRequestsAndIsReconciledWithTheTruth() {
    List<Choice> choices = choices();
    Totals totals = new Totals();
    for (int i = 0; i < HISTORIES / 2; i++) {
      Choice choice = choices.get(i % choices.size());
      FleetHistory history = FleetHistory.draw(i, choice.isElastic());
      String name = "history %s under %s".formatted(i, choice);
      totals.add(assertEnds(history, choice.scheduler(), name));
    }
    totals.assertNothingIsMissing();
  }

  @Test
  void soDoesAPolicyThatDoesAnything() {
    Totals totals = new Totals();
    for (int i = 0; i < HISTORIES / 2; i++) {
      FleetHistory history = FleetHistory.draw(-1 - i, false);
      totals.add(assertEnds(history, restless(), "history %s".formatted(-1 - i)));
    }
    totals.assertNothingIsMissing();
    assertThat(totals.adjustments.pauses()).isPositive();
    assertThat(totals.adjustments.suspensions()).isPositive();
    assertThat(totals.adjustments.migrations()).isPositive();
    assertThat(totals.adjustments.resizes()).isPositive();
  }

  private static Scheduler.Builder restless() {
    return Scheduler.builder().policy("restless", context -> new Restless()).decisionLog(0);
  }

  private static RunResult assertEnds(
      FleetHistory history, Scheduler.Builder scheduler, String name) {
    FleetHistory.Run run;
    try {
      run = history.run(scheduler);
    } catch (RuntimeException | AssertionError defect) {
      throw new AssertionError(name + ": " + history, defect);
    }
    Set<String> ids =
        run.ends().stream().map(each -> each.report().id()).collect(Collectors.toSet());
    assertThat(run.ends()).as(name).hasSameSizeAs(history.arrivals());
    assertThat(ids).as(name).hasSameSizeAs(history.arrivals());
    Set<String> mayNotEnd = // nor without faults, if they are preempted again and again
        history.arrivals().stream()
            .filter(each -> !each.behaviour().keepsProgress())
            .map(each -> each.request().id())
            .collect(Collectors.toSet());
    for (RequestOutcome each : run.ends()) {
      assertThat(mayNotEnd.contains(each.report().id()) || isEnded(each))
          .as(name + ", " + each)
          .isTrue();
    }
    return run.result();
  }

  private static boolean isEnded(RequestOutcome outcome) {
    return outcome.end() != RequestOutcome.End.UNFINISHED;
  }

  @Test
  void withoutFaultsItIsAsReliableAsAnyOther() {
    List<Choice> choices = choices();
    for (int i = 0; i < HISTORIES / 8; i++) {
      Choice choice = choices.get(i % choices.size());
      FleetHistory history = FleetHistory.draw(i, choice.isElastic());
      String name = "history %s under %s: %s".formatted(i, choice, history);
      assertSameWithoutFaults(history, choice::scheduler, name);
      assertSameWithoutFaults(history, UnreliableFleetsTest::restless, name);
    }
  }

  private static void assertSameWithoutFaults(
      FleetHistory history, Supplier<Scheduler.Builder> scheduler, String name) {
    FleetHistory.Run reliable = history.run(scheduler.get(), Optional.empty());
    FleetHistory.Run without = history.run(scheduler.get(), Optional.of(FaultSettings.NONE));
    assertThat(without.ends()).as(name).isEqualTo(reliable.ends());
    assertThat(without.result().passes()).as(name).isEqualTo(reliable.result().passes());
    assertThat(without.result().classes()).as(name).isEqualTo(reliable.result().classes());
    assertThat(without.result().pools()).as(name).isEqualTo(reliable.result().pools());
    FaultCounts counts = without.result().faults().orElseThrow();
    assertThat(counts.refused() + counts.stale() + counts.differences()).as(name).isZero();
    assertThat(counts.misjudged()).as(name).isZero();
  }

  @Test
  void sameSeedGivesTheSameResult() {
    List<Choice> choices = choices();
    for (int i = 0; i < RUNS_TWICE; i++) {
      Choice choice = choices.get(i % choices.size());
      FleetHistory history = FleetHistory.draw(i, choice.isElastic());
      assertThat(history.run(choice.scheduler())).isEqualTo(history.run(choice.scheduler()));
    }
  }

  @Test
  void everyPolicyGetsThroughMildAndRoughFaults() {
    Duration end = Duration.ofMinutes(10);
    for (Choice each : shipped()) {
      for (FaultSettings faults : List.of(FaultSettings.MILD, FaultSettings.ROUGH)) {
        try (Simulation simulation =
            Simulation.builder()
                .scenario(BuiltInWorkloads.get("validation-1", 1, Duration.ofSeconds(30)))
                .until(end)
                .scheduler(each.scheduler().watchdog(Duration.ofSeconds(30)))
                .faults(faults)
                .build()) {
          RunResult result = simulation.run();
          assertThat(result.unfinished() + result.completed() + result.refused())
              .as(each.toString())
              .isEqualTo(result.arrivals());
          assertThat(result.placements()).as(each.toString()).isPositive();
          assertThat(result.faults().orElseThrow().reports()).as(each.toString()).isPositive();
        }
      }
    }
  }

  /** What went wrong in many histories. */
  private static final class Totals {

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private Adjustments adjustments = Adjustments.NONE;

    void add(RunResult result) {
      FaultCounts run = result.faults().orElseThrow();
      add("lost", run.lost());
      add("doubled", run.doubled());
      add("delayed", run.delayed());
      add("stale", run.stale());
      add("refused", run.refused() - run.impossible());
      add("impossible", run.impossible());
      add("undone with another", run.undone() - run.refused());
      add("failed starts", run.failedStarts());
      add("drifts", run.drifts());
      add("differences", run.differences());
      add("restarts", run.restarts());
      add("misjudged", run.misjudged().toNanos());
      add("preempted", result.preemptions());
      Adjustments more = result.adjustments();
      adjustments =
          new Adjustments(
              adjustments.resizes() + more.resizes(),
              adjustments.pauses() + more.pauses(),
              adjustments.suspensions() + more.suspensions(),
              adjustments.resumes() + more.resumes(),
              adjustments.migrations() + more.migrations());
    }

    private void add(String what, long count) {
      counts.merge(what, count, Long::sum);
    }

    void assertNothingIsMissing() {
      assertThat(counts).allSatisfy((what, count) -> assertThat(count).as(what).isPositive());
    }
  }
}
