package dev.berth.experiments.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.core.Scheduler;
import dev.berth.experiments.scenario.MetaschedulingScenarios.Grid;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetaschedulingScenariosTest {

  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @EnumSource
  void hasTenSitesAndFortyJobs(Grid grid) {
    Scenario scenario = MetaschedulingScenarios.of(grid, Duration.ofSeconds(20), 1);
    List<Arrival> jobs = jobs(scenario);

    assertThat(grid.slowness()).hasSize(10).isSubsetOf(1, 2, 4, 8).isSorted();
    assertThat(scenario.infrastructure().hosts()).hasSize(10).allMatch(each -> each.timeShared());
    assertThat(jobs).hasSize(MetaschedulingScenarios.JOBS);
    assertThat(jobs)
        .allMatch(each -> each.serviceTime() >= 54 * SECOND && each.serviceTime() <= 66 * SECOND)
        .allMatch(each -> each.request().application().isPresent());
    assertThat(jobs.get(39).at() - jobs.get(0).at()).isEqualTo(39 * 20 * SECOND);
    assertThat(work(MetaschedulingScenarios.cold(grid, Duration.ofSeconds(20), 1)))
        .isEqualTo(work(scenario));
    assertThat(work(MetaschedulingScenarios.of(grid, Duration.ofSeconds(20), 2)))
        .isNotEqualTo(work(scenario));
  }

  /** When the first job arrives, each site has run the application and reports no load. */
  @Test
  void warmSitesAreIdleAndHaveHistory() {
    Scenario scenario = MetaschedulingScenarios.of(Grid.RAU, Duration.ofSeconds(20), 1);
    long start = jobs(scenario).get(0).at();
    try (Simulation simulation =
        Simulation.builder()
            .scenario(scenario)
            .executionModel(MetaschedulingScenarios.SHARING)
            .scheduler(
                Scheduler.builder()
                    .policy(
                        "anywhere",
                        context ->
                            pass ->
                                pass.pending()
                                    .forEach(
                                        one ->
                                            pass.hosts()
                                                .forEach(
                                                    host -> {
                                                      if (pass.obstacle(one, host, List.of())
                                                          .isEmpty()) {
                                                        pass.place(one, host);
                                                      }
                                                    }))))
            .build()) {
      simulation.runUntil(Duration.ofNanos(start - 1));
      List<Host> hosts = simulation.scheduler().hosts();
      for (int i = 0; i < hosts.size(); i++) {
        Host host = hosts.get(i);
        long slowness = Grid.RAU.slowness().get(i);
        assertThat(host.instances()).isEmpty();
        assertThat(host.load()).hasValueSatisfying(load -> assertThat(load.average()).isZero());
        assertThat(host.recentCompletions()).allMatch(end -> start - end > 60 * SECOND);
        assertThat(host.history("linpack"))
            .hasValueSatisfying(
                history -> {
                  assertThat(history.runs()).isEqualTo(1);
                  assertThat(history.meanCpuTime())
                      .isBetween(slowness * 54 * SECOND, slowness * 66 * SECOND);
                });
      }
    }
  }

  private static List<Long> work(Scenario scenario) {
    return jobs(scenario).stream().map(Arrival::serviceTime).toList();
  }

  private static List<Arrival> jobs(Scenario scenario) {
    List<Arrival> jobs = new ArrayList<>();
    try (ArrivalSource source = scenario.workload().open()) {
      while (source.hasNext()) {
        Arrival next = source.next();
        if (MetaschedulingScenarios.isJob(next.request())) {
          jobs.add(next);
        }
      }
    }
    return jobs;
  }
}
