package dev.berth.policies.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.BagReport;
import dev.berth.simulator.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Providers that refuse, hosts that fail to start, and hosts that fail while they are up: no bag is
 * lost or waits for ever, and no limit is exceeded.
 */
class QueueDepthFaultsTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final int LIMIT = 12;

  /** What goes wrong, and what is to be done. */
  record Case(List<BagRuns.Tasks> bags, Provider provider, int limit, long seed) {}

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<Double> share =
        Arbitraries.frequencyOf(
            Tuple.of(2, Arbitraries.just(0.0)),
            Tuple.of(2, Arbitraries.doubles().between(0, 1)),
            Tuple.of(1, Arbitraries.just(1.0)));
    Arbitrary<BagRuns.Tasks> bag =
        Combinators.combine(
                Arbitraries.integers().between(0, 600),
                Arbitraries.integers().between(1, 300).list().ofMinSize(1).ofMaxSize(12),
                Arbitraries.integers().between(1, 2000).optional())
            .as(
                (at, tasks, timeToLive) ->
                    new BagRuns.Tasks(
                        Duration.ofSeconds(at), tasks, timeToLive.map(Duration::ofSeconds)));
    Arbitrary<List<Duration>> lives =
        Arbitraries.integers()
            .between(1, 600)
            .map(seconds -> List.of(Duration.ofSeconds(seconds), DAY))
            .optional()
            .map(some -> some.orElse(List.of()));
    Arbitrary<Provider> provider =
        Combinators.combine(
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
    return Combinators.combine(
            bag.list().ofMinSize(1).ofMaxSize(5),
            provider,
            Arbitraries.integers().between(1, LIMIT),
            Arbitraries.longs().between(0, 1000))
        .as(
            (bags, faults, limit, seed) ->
                new Case(
                    bags.stream().sorted(Comparator.comparing(BagRuns.Tasks::at)).toList(),
                    faults,
                    limit,
                    seed));
  }

  /** The policy sets no time to live, so the users do. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void losesNoBag(@ForAll("cases") Case given) {
    QueueDepthFactory factory = new QueueDepthFactory();
    List<BagRuns.Tasks> bags = new ArrayList<>();
    for (BagRuns.Tasks each : given.bags) {
      bags.add(
          new BagRuns.Tasks(
              each.at(),
              each.tasks(),
              each.timeToLive().or(() -> Optional.of(Duration.ofHours(2)))));
    }
    Case withTimes = new Case(bags, given.provider, given.limit, given.seed);
    endsAll(
        withTimes,
        BagRuns.run(
            factory, factory.defaults(), bags, given.limit, given.provider, DAY, given.seed));
  }

  private static void endsAll(Case given, BagRuns.Ran ran) {
    assertThat(ran.result().unfinished()).as("no instance waits for ever").isZero();
    assertThat(ran.bags())
        .as("each bag ends once, with a report")
        .extracting(BagReport::bag)
        .doesNotHaveDuplicates()
        .hasSize(given.bags.size());
    for (BagReport each : ran.bags()) {
      assertThat(each.completed() + each.cancelled().size()).isEqualTo(each.size());
      assertThat(each.why().isPresent()).isEqualTo(!each.isComplete());
    }
    assertThat(ran.result().completed())
        .isEqualTo(ran.bags().stream().mapToLong(BagReport::completed).sum());
    assertThat(ran.samples()).allMatch(each -> each.all() <= given.limit);
    assertThat(ran.result().pools().peak()).isLessThanOrEqualTo(given.limit);
    if (given.provider.refused() == 0
        && given.provider.failing() == 0
        && given.provider.lives().isEmpty()
        && given.provider.most().isEmpty()
        && given.bags.stream().allMatch(each -> each.timeToLive().isEmpty())) {
      assertThat(ran.result().pools().failed()).isZero();
    }
  }
}
