package dev.berth.policies.memory;

import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without the controller, only events make passes due. */
class WithoutControllerTest {

  private static final String NO_CONTROL = "{\"elasticity\":{\"control\":false}}";

  /** A job of the property below; times in seconds. */
  private record Job(int admitted, int cores, int estimate, int runTime) {}

  @ParameterizedTest
  @ValueSource(strings = {"first-fit", "best-fit", "worst-fit", "round-robin", "memic"})
  void hasNoWatchdog(String policy) {
    TestCluster cluster = TestCluster.withPolicy(policy, NO_CONTROL);

    cluster.host("h1", cpuAndMemory(1, 1)).running("a", "gold", cpuAndMemory(1, 1), "h1").pass();

    assertThat(cluster.scheduler().watchdog()).isEmpty();
    assertThat(cluster.scheduler().nextPassAt()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"first-fit", "best-fit", "worst-fit", "round-robin", "memic"})
  void controllerSetsTheWatchdog(String policy) {
    TestCluster cluster =
        TestCluster.withPolicy(policy, "{\"elasticity\":{\"period\":\"7s\",\"migration\":false}}");

    assertThat(cluster.scheduler().watchdog()).hasValue(Duration.ofSeconds(7));
  }

  @Test
  void periodOfAnExperimentIsItsWatchdog() {
    Duration watchdog = Duration.ofSeconds(30);

    assertThat(elasticity(FitFactory.FIRST_FIT, watchdog).period()).isEqualTo(watchdog);
    assertThat(elasticity(new RoundRobinFactory(), watchdog).period()).isEqualTo(watchdog);
    assertThat(elasticity(new MemicFactory(), watchdog).period()).isEqualTo(watchdog);
    assertThat(elasticity(new MemicFactory(), Duration.ofNanos(1)).period())
        .as("the shortest period")
        .isEqualTo(Duration.ofMillis(1));

    Elasticity still =
        new Elasticity(false, Elasticity.Rule.MEC, Duration.ofSeconds(5), 0.1, true, 1.2);
    FitConfig config = FitFactory.FIRST_FIT.defaults().with(still);
    assertThat(FitFactory.FIRST_FIT.withWatchdog(config, watchdog)).isEqualTo(config);
  }

  private static <C extends Record & QueueSettings> Elasticity elasticity(
      PolicyFactory<C> factory, Duration watchdog) {
    C changed = factory.withWatchdog(factory.defaults(), watchdog);
    return changed instanceof FitConfig fit
        ? fit.elasticity()
        : changed instanceof MemicConfig memic
            ? memic.elasticity()
            : ((RoundRobinConfig) changed).elasticity();
  }

  /** Jobs that run longer than estimated are where further passes changed what backfilling did. */
  @Property(tries = 60)
  void jobsRunAsWithoutElasticity(@ForAll("jobs") List<Job> jobs) {
    RunResult without = run(jobs, "{\"control\":false,\"migration\":false}");
    RunResult migrating = run(jobs, "{\"control\":false}");

    assertThat(migrating.passes())
        .isEqualTo(without.passes())
        .isLessThanOrEqualTo(3L * jobs.size());
    assertThat(migrating.classes()).isEqualTo(without.classes());
  }

  @Provide
  Arbitrary<List<Job>> jobs() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 200),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 100),
            Arbitraries.integers().between(1, 300))
        .as(Job::new)
        .list()
        .ofMinSize(2)
        .ofMaxSize(12);
  }

  private static RunResult run(List<Job> jobs, String elasticity) {
    List<Arrival> arrivals = new ArrayList<>();
    for (Job each : sorted(jobs).toList()) {
      Request request =
          Request.builder("job-" + arrivals.size(), "bronze")
              .demand(cpuAndMemory(each.cores(), 1))
              .estimatedRunTime(Duration.ofSeconds(each.estimate()))
              .build();
      arrivals.add(
          new Arrival(
              Duration.ofSeconds(each.admitted()).toNanos(),
              request,
              Duration.ofSeconds(each.runTime()).toNanos(),
              ActualBehaviour.asSaid(request)));
    }
    HostSpec host = new HostSpec("h1", cpuAndMemory(4, 100), Map.of());
    try (Simulation simulation =
        Simulation.builder()
            .workload(Workload.of("jobs", ServiceClasses.goldSilverBronze(Duration.ZERO), arrivals))
            .infrastructure(new Infrastructure("one host", List.of(host)))
            .scheduler(
                Scheduler.builder()
                    .policy(
                        "first-fit", "{\"backfill\":\"easy\",\"elasticity\":" + elasticity + "}"))
            .build()) {
      return simulation.run();
    }
  }

  private static Stream<Job> sorted(List<Job> jobs) {
    return jobs.stream().sorted((one, other) -> Integer.compare(one.admitted(), other.admitted()));
  }
}
