package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;

class WorkloadArbitrariesTest {

  private static final int MOST = 20;

  @Example
  void workloadsCoverBurstsTiesAndEndlessServices() {
    Samples.of(WorkloadArbitraries.ofUpTo(MOST).map(WorkloadArbitrariesTest::arrivals), 1000)
        .allHave("as many as asked for", it -> it.size() <= MOST)
        .have("no arrival", 0.01, List::isEmpty)
        .have("as many as possible", 0.01, it -> it.size() == MOST)
        .have("two at one instant", 0.5, neighbours((a, b) -> a.at() == b.at()))
        .have("two a nanosecond apart", 0.1, neighbours((a, b) -> a.at() + 1 == b.at()))
        .have("two a day apart", 0.1, neighbours((a, b) -> b.at() - a.at() >= 86_400_000_000_000L))
        .have("twins", 0.1, neighbours(WorkloadArbitrariesTest::areTwins))
        .have("one without end", 0.2, it -> it.stream().anyMatch(WorkloadArbitrariesTest::hasNoEnd))
        .have("one of a nanosecond", 0.2, it -> it.stream().anyMatch(a -> a.serviceTime() == 1));
  }

  private static boolean areTwins(Arrival a, Arrival b) {
    return a.at() == b.at()
        && a.serviceTime() == b.serviceTime()
        && a.request().serviceClass().equals(b.request().serviceClass())
        && a.request().demand().equals(b.request().demand());
  }

  private static boolean hasNoEnd(Arrival arrival) {
    return arrival.serviceTime() == Long.MAX_VALUE;
  }

  private static Predicate<List<Arrival>> neighbours(BiPredicate<Arrival, Arrival> condition) {
    return all ->
        IntStream.range(1, all.size()).anyMatch(i -> condition.test(all.get(i - 1), all.get(i)));
  }

  /** Includes arrivals that never fit, endless services and clusters without hosts. */
  @Property(tries = 200, generation = GenerationMode.RANDOMIZED)
  void everyWorkloadCanBeSimulated(
      @ForAll("workloads") Workload workload, @ForAll("infrastructures") Infrastructure hosts) {
    try (Simulation simulation =
        Simulation.builder()
            .workload(workload)
            .infrastructure(hosts)
            .scheduler(Scheduler.builder().policy("plain", each -> each.pipeline().build()))
            .until(Duration.ofDays(21))
            .build()) {
      RunResult result = simulation.run();
      assertThat(result.arrivals()).isEqualTo(arrivals(workload).size());
    }
  }

  @Property(tries = 100, generation = GenerationMode.RANDOMIZED, seed = "1")
  @AddLifecycleHook(TwoSmallOnes.class)
  void workloadsShrink(@ForAll("workloads") Workload workload) {
    assertThat(arrivals(workload)).hasSizeLessThan(2);
  }

  static final class TwoSmallOnes extends ShrinkResultHook<Workload> {
    @Override
    void judge(Workload shrunk) {
      assertThat(arrivals(shrunk).toString())
          .isEqualTo(
              "[Arrival[at=0, request=request r1 (gold, cpu 1), serviceTime=1],"
                  + " Arrival[at=0, request=request r2 (gold, cpu 1), serviceTime=1]]");
      assertThat(shrunk.serviceClasses()).hasSize(1);
    }
  }

  @Example
  void usesTheGivenClasses() {
    List<ServiceClass> one = List.of(ServiceClass.builder("only").build());
    Samples.of(WorkloadArbitraries.ofUpTo(MOST, Arbitraries.just(one)), 100)
        .allHave("that class", it -> it.serviceClasses().equals(one))
        .allHave(
            "requests in it",
            it -> arrivals(it).stream().allMatch(a -> a.request().serviceClass().equals("only")));
  }

  @Provide
  Arbitrary<Workload> workloads() {
    return WorkloadArbitraries.ofUpTo(MOST);
  }

  @Provide
  Arbitrary<Infrastructure> infrastructures() {
    return WorkloadArbitraries.infrastructures();
  }

  private static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
