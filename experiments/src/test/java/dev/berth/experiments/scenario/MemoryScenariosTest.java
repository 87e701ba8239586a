package dev.berth.experiments.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MemoryScenariosTest {

  private static final long GB = Dimension.MEMORY.unitsPerWhole();
  private static final long MB = GB / 1000;
  private static final long SECOND = 1_000_000_000;

  @Test
  void hasJobsAndHostsOfThesis() {
    assertSize(MemoryScenarios.scenario1(), 15, 3);
    assertSize(MemoryScenarios.scenario2(7), 30, 3);
    assertSize(MemoryScenarios.scenario4(), 35, 6);
    assertThat(kinds(MemoryScenarios.scenario1()))
        .isEqualTo(Map.of("flat-2.5", 8, "climbing-4.5", 7));
    assertThat(kinds(MemoryScenarios.scenario2(7)))
        .isEqualTo(Map.of("climbing-4.5", 8, "flat-3.1", 8, "flat-2.4", 7, "flat-1.2", 7));
    assertThat(kinds(MemoryScenarios.scenario4()))
        .isEqualTo(Map.of("climbing-4.5", 12, "plateau-4", 12, "front-4.5", 11));
  }

  private static void assertSize(Scenario scenario, int jobs, int hosts) {
    assertThat(arrivals(scenario)).hasSize(jobs).allMatch(each -> each.at() == 0);
    assertThat(scenario.workload().size()).hasValue(jobs);
    assertThat(scenario.infrastructure().hosts())
        .hasSize(hosts)
        .allSatisfy(
            host -> {
              assertThat(host.capacity().amount(Dimension.MEMORY)).isEqualTo(24 * GB);
              assertThat(host.capacity().amount(Dimension.CPU)).isEqualTo(24 * SECOND);
            });
    assertThat(scenario.overheads().crowding()).isEqualTo(Duration.ofMillis(5_200));
  }

  @Test
  void jobsStartWithHalfAGigabyteAndTwoCores() {
    for (Scenario each :
        List.of(
            MemoryScenarios.scenario1(),
            MemoryScenarios.scenario2(1),
            MemoryScenarios.scenario4(),
            MemoryScenarios.random(1))) {
      assertThat(arrivals(each))
          .allSatisfy(
              job -> {
                assertThat(memory(job).initial()).isEqualTo(500 * MB);
                assertThat(job.request().demand().amount(Dimension.MEMORY)).isEqualTo(2 * GB);
                assertThat(job.request().demand().amount(Dimension.CPU)).isEqualTo(2 * SECOND);
                assertThat(job.request().guaranteed().amount(Dimension.MEMORY)).isEqualTo(300 * MB);
                assertThat(job.request().estimatedRunTime()).hasValue(job.serviceTime());
              });
    }
  }

  @Test
  void jobsOfScenario4HaveSameMeanMemory() {
    assertThat(arrivals(MemoryScenarios.scenario4()))
        .allSatisfy(
            job ->
                assertThat(memory(job).average(job.serviceTime()))
                    .as(job.request().id())
                    .isBetween(2_500 * MB - 1, 2_500 * MB + 1));
  }

  @Test
  void profilesHaveDocumentedShapes() {
    Arrival climbing = job(MemoryScenarios.scenario4(), "climbing-4.5");
    assertThat(memory(climbing).maximum()).isEqualTo(4_500 * MB);
    assertThat(memory(climbing).needAt(climbing.serviceTime() - 1)).isEqualTo(4_500 * MB);
    assertThat(
            LongStream.range(0, memory(climbing).size()).map(i -> memory(climbing).need((int) i)))
        .isSorted()
        .hasSize(41);

    Arrival plateau = job(MemoryScenarios.scenario4(), "plateau-4");
    long half = plateau.serviceTime() / 2;
    assertThat(memory(plateau).needAt(half - 1)).isEqualTo(4 * GB);
    assertThat(memory(plateau).needAt(half)).isEqualTo(1_202_898_550L); // for the mean
    assertThat(memory(plateau).size()).isEqualTo(3);

    Arrival front = job(MemoryScenarios.scenario4(), "front-4.5");
    long early = front.serviceTime() * 2 / 5;
    assertThat(memory(front).needAt(early - 1)).isEqualTo(4_500 * MB);
    assertThat(memory(front).needAt(early)).isEqualTo(1_531_963_470L); // for the mean

    Arrival flat = job(MemoryScenarios.scenario2(1), "flat-3.1");
    assertThat(memory(flat).needAt(10 * SECOND)).isEqualTo(1_860 * MB);
    assertThat(memory(flat).needAt(30 * SECOND)).isEqualTo(3_100 * MB);
    assertThat(memory(flat).needAt(flat.serviceTime() - 1)).isEqualTo(3_100 * MB);
  }

  /** Needs in section 6.1, run times in table 6.2. */
  @Test
  void parsecIsAsPrinted() {
    Scenario parsec = MemoryScenarios.parsec();
    assertThat(kinds(parsec)).isEqualTo(Map.of("canneal", 12, "raytrace", 12, "ferret", 12));
    assertParsec(job(parsec, "canneal"), 320, 1_461, 1_461, 247, 539, 102_273);
    assertParsec(job(parsec, "raytrace"), 400, 1_575, 1_252, 345, 350, 430);
    assertParsec(job(parsec, "ferret"), 460, 760, 760, 410, 416, 421);
    assertThat(memory(job(parsec, "canneal")).size()).isEqualTo(115);
  }

  private static void assertParsec(Arrival job, long first, long most, long last, long... seconds) {
    assertThat(memory(job).initial()).isEqualTo(first * MB);
    assertThat(memory(job).maximum()).isEqualTo(most * MB);
    assertThat(memory(job).needAt(job.serviceTime() - 1)).isEqualTo(last * MB);
    assertThat(job.serviceTime()).isEqualTo(seconds[0] * SECOND);
    PerformanceMemoryProfile performance = job.request().performanceMemoryProfile().orElseThrow();
    assertThat(performance.runTime(2_000 * MB)).isEqualTo(seconds[0] * SECOND);
    assertThat(performance.runTime(1_500 * MB)).isEqualTo(seconds[1] * SECOND);
    assertThat(performance.runTime(1_000 * MB)).isEqualTo(seconds[2] * SECOND);
  }

  @Test
  void jobsSlowDownBelowPeakMemory() {
    Arrival job = job(MemoryScenarios.scenario4(), "front-4.5");
    PerformanceMemoryProfile performance = job.request().performanceMemoryProfile().orElseThrow();
    long peak = 4_500 * MB;

    assertThat(performance.runTime(peak)).isEqualTo(job.serviceTime());
    assertThat(performance.slowdown(peak).factor()).isEqualTo(1);
    assertThat(performance.slowdown(peak * 55 / 100).factor()).isEqualTo(1.05);
    assertThat(performance.slowdown(peak * 45 / 100).factor()).isEqualTo(1.49);
    assertThat(performance.slowdown(0).factor()).isEqualTo(4);
  }

  @Test
  void seedDeterminesOnlyOrderOfScenario2() {
    assertThat(ids(MemoryScenarios.scenario2(1))).isEqualTo(ids(MemoryScenarios.scenario2(1)));
    assertThat(ids(MemoryScenarios.scenario2(1))).isNotEqualTo(ids(MemoryScenarios.scenario2(2)));
    assertThat(kinds(MemoryScenarios.scenario2(1))).isEqualTo(kinds(MemoryScenarios.scenario2(2)));
  }

  @Test
  void randomScenariosStayWithinLimits() {
    for (long seed = 0; seed < 200; seed++) {
      Scenario scenario = MemoryScenarios.random(seed);
      boolean small = scenario.infrastructure().hosts().size() == 3;
      assertSize(scenario, small ? 30 : 35, small ? 3 : 6);
      assertThat(kinds(scenario).size()).isBetween(3, 4);
      assertThat(arrivals(scenario))
          .allSatisfy(
              job -> {
                assertThat(job.serviceTime()).isBetween(200 * SECOND, 700 * SECOND);
                assertThat(memory(job).maximum()).isBetween(1_500 * MB, 5_000 * MB);
              });
      assertThat(MemoryScenarios.random(seed).workload().name()).endsWith("-" + seed);
      assertThat(arrivals(MemoryScenarios.random(seed)).toString())
          .isEqualTo(arrivals(scenario).toString());
    }
  }

  private static MemoryProfile memory(Arrival job) {
    return job.behaviour().memory().orElseThrow();
  }

  private static Arrival job(Scenario scenario, String kind) {
    return arrivals(scenario).stream()
        .filter(each -> each.request().id().endsWith(kind))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> ids(Scenario scenario) {
    return arrivals(scenario).stream().map(each -> each.request().id()).toList();
  }

  /** Counts the jobs by kind; ids are {@code job-07-kind}. */
  private static Map<String, Integer> kinds(Scenario scenario) {
    Map<String, Integer> kinds = new TreeMap<>();
    ids(scenario).forEach(id -> kinds.merge(id.substring("job-00-".length()), 1, Integer::sum));
    return kinds;
  }

  private static List<Arrival> arrivals(Scenario scenario) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = scenario.workload().open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
