package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.core.Scheduler;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares our runs of the validation experiments with the results of QoS-driven scheduling
 * (section 4.4), on the authors' workload files and on the built-in ones.
 */
class PublishedValidationTest {

  private static final List<Long> SEEDS = List.of(1L, 2L, 3L);

  private final List<RequestOutcome> outcomes = new ArrayList<>();

  static Stream<Arguments> validation1() {
    return scenarios(1, seed -> BuiltInWorkloads.validation1(seed, BuiltInWorkloads.WATCHDOG));
  }

  static Stream<Arguments> validation2() {
    return scenarios(2, seed -> BuiltInWorkloads.validation2(BuiltInWorkloads.WATCHDOG));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("validation1")
  void qosDrivenOnValidation1(String name, long seed, Supplier<Scenario> scenario) {
    RunResult result = qosDriven(scenario.get(), seed);

    assertThat(classOf(result, "gold").mean().orElseThrow()).isCloseTo(1, within(.002));
    assertThat(classOf(result, "silver").mean().orElseThrow()).isCloseTo(.905, within(.01));
    assertThat(classOf(result, "silver").min().orElseThrow()).isCloseTo(.900, within(.02));
    assertThat(classOf(result, "bronze").mean().orElseThrow()).isCloseTo(.471, within(.01));
    assertThat(classOf(result, "bronze").min().orElseThrow()).isCloseTo(.468, within(.02));
    assertThat(result.preemptions()).isCloseTo(5600, Percentage.withPercentage(10));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("validation2")
  void qosDrivenOnValidation2(String name, long seed, Supplier<Scenario> scenario) {
    RunResult result = qosDriven(scenario.get(), seed);

    assertThat(classOf(result, "silver").mean().orElseThrow()).isCloseTo(.900, within(.01));
    assertThat(classOf(result, "silver").min().orElseThrow()).isCloseTo(.896, within(.02));
    assertThat(result.preemptions()).isCloseTo(2545, Percentage.withPercentage(10));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("validation1")
  void priorityOnValidation1(String name, long seed, Supplier<Scenario> scenario) {
    RunResult result = run(scenario.get(), seed, Scheduler.builder().policy("priority"));

    assertThat(classOf(result, "gold").min().orElseThrow()).isGreaterThan(.998);
    assertThat(classOf(result, "silver").min().orElseThrow()).isGreaterThan(.998);
    List<Double> bronze =
        outcomes.stream()
            .filter(each -> each.report().serviceClass().name().equals("bronze"))
            .map(each -> each.report().availability().orElseThrow())
            .toList();
    assertThat(bronze).hasSize(96);
    assertThat(bronze).filteredOn(each -> each >= .99).hasSize(40);
    assertThat(bronze).filteredOn(each -> each < .1).hasSize(56);
    if (!name.equals("validation-1")) { // another order of arrival gives another number
      assertThat(result.preemptions()).isCloseTo(32, Percentage.withPercentage(15));
    }
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("validation2")
  void priorityOnValidation2(String name, long seed, Supplier<Scenario> scenario) {
    RunResult result = run(scenario.get(), seed, Scheduler.builder().policy("priority"));

    assertThat(result.preemptions()).isZero();
    assertThat(classOf(result, "silver").neverRan()).isEqualTo(21);
    assertThat(outcomes)
        .filteredOn(each -> each.report().availability().orElseThrow() >= .99)
        .hasSize(200);
  }

  private RunResult qosDriven(Scenario scenario, long seed) {
    return run(
        scenario,
        seed,
        Scheduler.builder().policy("qos-driven", "{\"expectedOverhead\": \"2.37107s\"}"));
  }

  private RunResult run(Scenario scenario, long seed, Scheduler.Builder scheduler) {
    try (Simulation simulation =
        Simulation.builder()
            .scenario(scenario)
            .scheduler(scheduler.watchdog(BuiltInWorkloads.WATCHDOG))
            .seed(seed)
            .listener(SimulationListener.onRequestEnded(outcomes::add))
            .build()) {
      return simulation.run();
    }
  }

  private static ClassResult classOf(RunResult result, String name) {
    return result.classes().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private interface BuiltIn {
    Scenario get(long seed);
  }

  private static Stream<Arguments> scenarios(int number, BuiltIn builtIn) {
    return SEEDS.stream()
        .flatMap(
            seed ->
                Stream.of(
                    arguments("validation-" + number, seed, () -> builtIn.get(seed)),
                    arguments(
                        "published simulation file " + number,
                        seed,
                        () -> published(number, "simulation")),
                    arguments(
                        "published experiment file " + number,
                        seed,
                        () -> published(number, "experiment"))));
  }

  private static Arguments arguments(String name, long seed, Supplier<Scenario> scenario) {
    return Arguments.of(name, seed, scenario);
  }

  private static Scenario published(int number, String kind) {
    String file =
        "synthetic-workload-validation%s-20hosts-10pods-per-host-%s.csv".formatted(number, kind);
    return new Scenario(
        Readers.workload(
            PublishedLogs.file(file).toString(),
            ServiceClasses.goldSilverBronze(BuiltInWorkloads.WATCHDOG)),
        Readers.infrastructure(PublishedLogs.file("host_info_experiment_20.txt").toString()),
        BuiltInWorkloads.validation1(0, BuiltInWorkloads.WATCHDOG).until(),
        BuiltInWorkloads.publishedOverheads());
  }
}
