package dev.berth.experiments.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInWorkloadsTest {

  @Test
  void validation1MatchesPaper() {
    Scenario scenario = BuiltInWorkloads.get("validation-1", 42, Duration.ofSeconds(30));
    List<Arrival> arrivals = arrivals(scenario);

    assertThat(scenario.workload().name()).isEqualTo("validation-1");
    assertThat(scenario.workload().size()).hasValue(256);
    assertThat(scenario.until()).isEqualTo(Duration.ofHours(1));
    assertThat(arrivals).hasSize(256);
    assertThat(countByClass(arrivals)).isEqualTo(Map.of("gold", 80L, "silver", 80L, "bronze", 96L));
    assertThat(arrivals).extracting(each -> each.request().id()).doesNotHaveDuplicates();
    for (int i = 0; i < arrivals.size(); i++) {
      assertThat(arrivals.get(i).at()).isEqualTo(i * 1_000_000_000L);
      assertThat(arrivals.get(i).serviceTime()).isEqualTo(7_200_000_000_000L);
      assertThat(arrivals.get(i).request().demand())
          .isEqualTo(Resources.of(Dimension.CPU, 375_000_000, Dimension.MEMORY, 375_000_000));
    }
    assertThat(scenario.workload().serviceClasses())
        .extracting(ServiceClass::safetyMargin)
        .containsOnly(Duration.ofSeconds(30));
  }

  @Test
  void seedDeterminesOrderOfValidation1() {
    assertThat(order(1)).isEqualTo(order(1)).isNotEqualTo(order(2));
    assertThat(order(1)).containsExactlyInAnyOrderElementsOf(order(2));
  }

  @Test
  void validation2Has221SilverRequests() {
    Scenario scenario = BuiltInWorkloads.get("validation-2", 42, Duration.ofSeconds(10));

    assertThat(countByClass(arrivals(scenario))).isEqualTo(Map.of("silver", 221L));
    assertThat(scenario.workload().serviceClasses())
        .extracting(ServiceClass::name)
        .containsExactly("silver");
  }

  @Test
  void hostsFitTenRequestsEach() {
    Infrastructure hosts = BuiltInWorkloads.validationHosts();

    assertThat(hosts.hosts()).hasSize(20);
    assertThat(hosts.hosts())
        .allSatisfy(
            host ->
                assertThat(host.capacity())
                    .isEqualTo(
                        Resources.of(
                            Dimension.CPU, 3_750_000_000L, Dimension.MEMORY, 3_750_000_000L)));
  }

  @Test
  void overheadsHavePublishedFrequencies() {
    Overheads overheads = BuiltInWorkloads.publishedOverheads();

    assertThat(
            overheads.cold().stream()
                .collect(Collectors.groupingBy(Duration::toSeconds, Collectors.counting())))
        .isEqualTo(Map.of(1L, 11L, 2L, 625L, 3L, 345L, 4L, 13L, 5L, 4L, 6L, 2L));
    assertThat(overheads.hot()).isEqualTo(overheads.cold());
    assertThat(overheads.mean()).isEqualTo(Duration.ofMillis(2380));
  }

  @Test
  void framesOfTheRenderFarmLoseTheirWork() {
    Scenario scenario = BuiltInWorkloads.get("render-farm", 1, Duration.ofSeconds(10));
    List<Arrival> frames = arrivals(scenario);

    assertThat(frames).hasSize(2_000).noneMatch(each -> each.behaviour().keepsProgress());
    assertThat(scenario.infrastructure().hosts()).hasSize(50);
    assertThat(countByClass(frames)).containsOnlyKeys("gold", "silver", "bronze");
    assertThat(BuiltInWorkloads.watchdog("render-farm")).isEqualTo(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void mixedFleetAsksForAboutATenthMoreThanThereIs(long seed) {
    Scenario scenario = BuiltInWorkloads.get("mixed", seed, Duration.ofSeconds(10));
    double cores = 0;
    double asked = 0;
    for (HostSpec each : scenario.infrastructure().hosts()) {
      cores += each.capacity().amount(Dimension.CPU);
    }
    for (Arrival each : arrivals(scenario)) {
      boolean ends = !each.request().serviceClass().equals("service");
      double hours = ends ? each.serviceTime() / 3.6e12 : 4;
      asked += hours * each.request().demand().amount(Dimension.CPU);
      assertThat(each.at()).isBetween(0L, Duration.ofHours(4).toNanos());
    }

    assertThat(asked / (4 * cores)).isBetween(0.95, 1.3);
    assertThat(countByClass(arrivals(scenario))).containsOnlyKeys("service", "ci", "batch");
    assertThat(arrivals(scenario))
        .extracting(Arrival::serviceTime)
        .isEqualTo(arrivals(scenario).stream().map(Arrival::serviceTime).toList());
  }

  @Test
  void unknownNameListsKnownOnes() {
    for (String name : BuiltInWorkloads.names()) {
      assertThat(BuiltInWorkloads.get(name, 0, Duration.ZERO).workload().name()).isEqualTo(name);
    }
    assertThatThrownBy(() -> BuiltInWorkloads.get("validation", 0, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "built-in workload was \"validation\", must be one of validation-1, validation-2, "
                + "memic-1, memic-2, memic-4, memic-parsec, render-farm, mixed.");
  }

  private static List<String> order(long seed) {
    return arrivals(BuiltInWorkloads.validation1(seed, BuiltInWorkloads.WATCHDOG)).stream()
        .map(each -> each.request().id())
        .toList();
  }

  private static Map<String, Long> countByClass(List<Arrival> arrivals) {
    return arrivals.stream()
        .collect(
            Collectors.groupingBy(each -> each.request().serviceClass(), Collectors.counting()));
  }

  private static List<Arrival> arrivals(Scenario scenario) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = scenario.workload().open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
