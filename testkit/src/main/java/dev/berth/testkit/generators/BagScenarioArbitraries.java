package dev.berth.testkit.generators;

import dev.berth.simulator.fleet.Provider;
import dev.berth.testkit.simulation.BagScenario;
import dev.berth.testkit.simulation.TaskBag;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of simulated bags of tasks. */
public final class BagScenarioArbitraries {

  private static final int LIMIT = 12;
  private static final int BAGS = 5;
  private static final int TASKS = 12;

  private BagScenarioArbitraries() {}

  /**
   * Returns scenarios of one to five bags in which hosts may be refused, may fail to start, and may
   * fail while they are up or being drained.
   */
  public static Arbitrary<BagScenario> withFaults() {
    return Combinators.combine(
            bags().list().ofMinSize(1).ofMaxSize(BAGS),
            Arbitraries.integers().between(1, LIMIT),
            providers(),
            Arbitraries.longs().between(0, 1000))
        .as(
            (bags, limit, provider, seed) ->
                new BagScenario(
                    bags.stream().sorted(Comparator.comparing(TaskBag::at)).toList(),
                    limit,
                    provider,
                    seed));
  }

  private static Arbitrary<TaskBag> bags() {
    return Combinators.combine(
            seconds(0, 600),
            seconds(1, 300).list().ofMinSize(1).ofMaxSize(TASKS),
            seconds(1, 2000).optional())
        .as(TaskBag::new);
  }

  private static Arbitrary<Provider> providers() {
    Arbitrary<Double> share =
        Arbitraries.frequencyOf(
            Tuple.of(2, Arbitraries.just(0.0)),
            Tuple.of(2, Arbitraries.doubles().between(0, 1)),
            Tuple.of(1, Arbitraries.just(1.0)));
    // Some hosts fail soon; the others outlive the run.
    Arbitrary<List<Duration>> lives =
        seconds(1, 600)
            .map(life -> List.of(life, Duration.ofDays(1)))
            .optional()
            .map(some -> some.orElse(List.of()));
    return Combinators.combine(
            Arbitraries.integers().between(0, LIMIT).optional(), share, share, share, lives)
        .as(
            (most, refused, failing, dying, life) ->
                new Provider(
                    List.of(Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(60)),
                    List.of(Duration.ZERO, Duration.ofSeconds(20)),
                    most.map(OptionalInt::of).orElse(OptionalInt.empty()),
                    refused,
                    failing,
                    dying,
                    life));
  }

  private static Arbitrary<Duration> seconds(int least, int most) {
    return Arbitraries.integers().between(least, most).map(Duration::ofSeconds);
  }
}
