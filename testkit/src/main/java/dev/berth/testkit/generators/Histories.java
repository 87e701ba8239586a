package dev.berth.testkit.generators;

import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generators of what happens to a cluster. They use few distinct times, so that ties are frequent.
 */
public final class Histories {

  private Histories() {}

  /**
   * Returns histories of up to so many steps. A step is an event, several at one time, or a round
   * of them.
   *
   * @param steps at least 1
   */
  public static Arbitrary<History> ofUpTo(int steps) {
    return Combinators.combine(
            Arbitraries.longs().between(0, 3),
            epochs(),
            Clusters.serviceClasses(),
            Clusters.scales(),
            Clusters.hostShapeLists(),
            Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.integers().between(1, 3)),
                Tuple.of(1, Arbitraries.integers().between(4, 8))),
            steps().list().ofMinSize(1).ofMaxSize(steps))
        .as(
            (seed, epoch, serviceClasses, scale, hosts, present, happenings) ->
                new History(
                    seed,
                    epoch,
                    serviceClasses,
                    scale,
                    Clusters.hosts(scale, hosts),
                    Math.min(present, hosts.size()),
                    happenings));
  }

  /**
   * Returns times at which histories begin: zero, before zero, as many nanoseconds as clocks show
   * these days, any; and shortly before an hour at which what an engine may keep of an objective of
   * one third, its {@linkplain dev.berth.api.Slo#lifeSpan meter} less the time itself, passes
   * 2<sup>63</sup>.
   */
  public static Arbitrary<Long> epochs() {
    return Arbitraries.frequencyOf(
        Tuple.of(
            6,
            Arbitraries.of(
                0L,
                Duration.ofHours(-1).toNanos(),
                Duration.ofDays(365 * 56).plusNanos(1).toNanos(),
                4_611_686_011_509_858_879L - Duration.ofSeconds(30).toNanos())),
        Tuple.of(1, Arbitraries.longs().between(-(1L << 61), 1L << 61)));
  }

  /** Returns single steps, in proportions that keep a cluster of the generated size busy. */
  public static Arbitrary<Step> steps() {
    Arbitrary<Integer> pick = Arbitraries.integers().between(0, 15);
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.just(new Step.Pass())),
        Tuple.of(12, Clusters.requests().list().ofMinSize(1).ofMaxSize(4).map(Step.Submit::new)),
        Tuple.of(10, Combinators.combine(preparations(), pauses()).as(Step.Round::new)),
        Tuple.of(4, pauses().map(Step.Pause::new)),
        Tuple.of(4, pick.map(Step.Ready::new)),
        Tuple.of(3, pick.map(Step.Complete::new)),
        Tuple.of(1, pick.map(Step.Fail::new)),
        Tuple.of(1, pick.map(Step.Cancel::new)),
        Tuple.of(1, pick.map(Step.Leave::new)),
        Tuple.of(2, Combinators.combine(pick, pick).as(Step.Join::new)));
  }

  private static Arbitrary<Duration> pauses() {
    return Arbitraries.of(
        Duration.ofSeconds(10),
        Duration.ZERO,
        Duration.ofNanos(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofMinutes(10));
  }

  private static Arbitrary<Duration> preparations() {
    return Arbitraries.of(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(3));
  }
}
