package dev.berth.experiments.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Moldability;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.LoggedJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueScenariosTest {

  private static final long SECOND = 1_000_000_000;
  private static final int CORES = 8;

  /** A thousand jobs with ever shorter run times, of 1 to 16 cores. */
  private static final List<LoggedJob> JOBS =
      IntStream.range(0, 1000)
          .mapToObj(i -> new LoggedJob(10_000 + i, i, (2000 - i) * SECOND, 1 + i % 16, 1, 0))
          .toList();

  @Test
  void submitsAllJobsAtOnceInOrder() {
    List<Arrival> arrivals = arrivals(1);

    assertThat(arrivals).hasSize(1000).allMatch(each -> each.at() == 0);
    assertThat(arrivals).extracting(each -> each.request().id()).isSorted().doesNotHaveDuplicates();
    for (int i = 0; i < JOBS.size(); i++) {
      assertThat(arrivals.get(i).serviceTime()).isEqualTo(JOBS.get(i).runTime());
      assertThat(arrivals.get(i).request().estimatedRunTime()).hasValue(JOBS.get(i).runTime());
      assertThat(arrivals.get(i).request().moldability()).contains(Moldability.LINPACK);
    }
  }

  @Test
  void limitsCoresToPool() {
    List<Arrival> arrivals = arrivals(1);

    for (int i = 0; i < JOBS.size(); i++) {
      assertThat(arrivals.get(i).request().demand().amount(Dimension.CPU))
          .isEqualTo(Math.min(CORES, JOBS.get(i).processors()) * SECOND);
    }
    Scenario scenario = QueueScenarios.of("test", JOBS, CORES, 1);
    assertThat(scenario.infrastructure().hosts())
        .singleElement()
        .satisfies(
            pool -> assertThat(pool.capacity().amount(Dimension.CPU)).isEqualTo(CORES * SECOND));
  }

  @Test
  void setsDeadlinesToThreeToSixTimesRunTime() {
    List<Double> factors =
        arrivals(1).stream()
            .map(each -> (double) each.request().deadline().orElseThrow() / each.serviceTime())
            .toList();

    assertThat(factors).allMatch(factor -> factor >= 3 && factor <= 6);
    assertThat(factors).anyMatch(factor -> factor < 3.1).anyMatch(factor -> factor > 5.9);
  }

  @Test
  void seedDeterminesDeadlines() {
    assertThat(deadlines(1)).isEqualTo(deadlines(1)).isNotEqualTo(deadlines(2));
  }

  private static List<Long> deadlines(long seed) {
    return arrivals(seed).stream().map(each -> each.request().deadline().orElseThrow()).toList();
  }

  private static List<Arrival> arrivals(long seed) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = QueueScenarios.of("test", JOBS, CORES, seed).workload().open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
