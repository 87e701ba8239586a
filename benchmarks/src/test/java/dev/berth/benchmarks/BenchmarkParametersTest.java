package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.benchmarks.scenario.Scenarios;
import dev.berth.core.Scheduler;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Param;

class BenchmarkParametersTest {

  @ParameterizedTest
  @ValueSource(classes = {ScenarioBenchmark.class, LargePassBenchmark.Cluster.class})
  void defaultSizesAreInTheScenarioFile(Class<?> benchmark) throws Exception {
    for (String name : defaults(benchmark, "scenario")) {
      assertThat(Scenarios.get(name).full().hosts())
          .containsAll(Stream.of(defaults(benchmark, "hosts")).map(Integer::valueOf).toList());
    }
  }

  private static String[] defaults(Class<?> benchmark, String parameter) throws Exception {
    return benchmark.getField(parameter).getAnnotation(Param.class).value();
  }

  @Test
  void refusesSizesMissingFromTheScenarioFile() {
    assertThatThrownBy(() -> ScenarioBenchmark.start("burst", 100, 0, policy("qos-driven")))
        .hasMessage("hosts was 100, must be one of [1000, 10000, 50000] for scenario burst.");
  }

  @Test
  void batchDefaultsToTheScenarioFile() {
    assertThat(ScenarioBenchmark.start("fill", 100, 0, policy("priority")).batch()).isEqualTo(100);
    assertThat(ScenarioBenchmark.start("fill", 100, 7, policy("priority")).batch()).isEqualTo(7);
  }

  private static Scheduler.Builder policy(String id) {
    return Scheduler.builder().policy(id);
  }
}
