package dev.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.experiments.Trials;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class InfiniteHostTest {

  private static final long MILLI = 1_000_000;

  private static final List<ServiceClass> CLASSES =
      Stream.of(1.0, 0.999, 0.9, 0.001)
          .map(slo -> ServiceClass.builder("slo-" + slo).slo(slo).importance(1).build())
          .toList();

  /** No policy gives more than an infinite host, so there every objective is met. */
  @Property(tries = 300)
  void everyRequestMeetsItsObjective(@ForAll long seed) {
    Random random = new Random(seed);
    RunSettings hosts =
        new RunSettings(
            scenario(random), Duration.ofSeconds(30), Duration.ZERO, List.of(), random.nextLong());
    ComparedPolicy bound =
        ComparedPolicy.bounds(List.of(), Trials.registry(), Duration.ofSeconds(30), Duration.ZERO)
            .get(1);
    RunSettings infinite =
        new Case(0, "w", "h", 1, "", hosts, JsonText.object()).settingsFor(bound);
    RunResult run =
        bound.choice().simulate(scheduler -> infinite.simulation(scheduler), each -> each.run());
    for (ClassResult each : run.classes()) {
      assertThat(each.met().orElse(1)).as(each.name()).isEqualTo(1);
      assertThat(each.neverRan()).isLessThanOrEqualTo(run.unfinished());
    }
  }

  /** Times of any length to the nanosecond; some requests outlast the run, some do not start. */
  private static Scenario scenario(Random random) {
    long longest = MILLI * (1L << random.nextInt(24));
    List<Arrival> arrivals = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < 20; i++) {
      at += random.nextInt(3) == 0 ? random.nextLong(longest) : 0;
      arrivals.add(
          new Arrival(
              at,
              Request.builder("r" + i, CLASSES.get(random.nextInt(CLASSES.size())).name())
                  .demand(Resources.of(Dimension.CPU, 1 + random.nextInt(10)))
                  .build(),
              1 + random.nextLong(longest)));
    }
    return new Scenario(
        Workload.of("random", CLASSES, arrivals),
        new Infrastructure("one", List.of(new HostSpec("h", Resources.of(Dimension.CPU, 10)))),
        Duration.ofNanos(1 + random.nextLong(at + 2 * longest)),
        new Overheads(
            starts(random),
            starts(random),
            random.nextBoolean() ? Duration.ZERO : Duration.ofNanos(random.nextLong(MILLI)),
            Duration.ofSeconds(random.nextInt(2))));
  }

  private static List<Duration> starts(Random random) {
    long longest = 1 + random.nextLong(10_000 * MILLI);
    return Stream.generate(() -> Duration.ofNanos(random.nextLong(longest)))
        .limit(1 + random.nextInt(4))
        .toList();
  }
}
