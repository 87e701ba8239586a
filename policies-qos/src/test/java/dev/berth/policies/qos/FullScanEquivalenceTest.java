package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.core.Scheduler;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In crowded clusters, the engine gives the same plans as a full scan of all hosts for every
 * instance in every pass, and the same plans as the reference model.
 *
 * <p>A failure names the seed; {@code new Churn(one, other, seed, hosts, fullness)} repeats it.
 */
@PropertyDefaults(
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE,
    shrinking = ShrinkingMode.OFF)
class FullScanEquivalenceTest {

  @Property(tries = 100)
  void aFewHosts(@ForAll long seed) {
    againstALookAtEveryHost(maker(seed), seed, 6, 10, 80);
  }

  /** Its tiers and refusals have dates, and it learns from the instances that complete. */
  @Property(tries = 60)
  void aFewHostsByLeastWorkToCome(@ForAll long seed) {
    QosAttainedFactory factory = new QosAttainedFactory();
    againstALookAtEveryHost(
        context -> factory.create(factory.defaults(), context), seed, 6, 10, 80, seed % 4 == 0);
  }

  @Property(tries = 60)
  void aFewHostsAndGroups(@ForAll long seed) {
    againstALookAtEveryHost(maker(seed), seed, 6, 10, 60, true);
  }

  @Property(tries = 2)
  void dozensOfHostsAndGroups(@ForAll long seed) {
    againstALookAtEveryHost(maker(seed), seed, 40, 10, 40, true);
  }

  @Test
  void groupsMeetAllCases() {
    Map<String, Integer> seen =
        againstALookAtEveryHost(FullScanEquivalenceTest::qosDriven, 5, 8, 8, 600, true);

    assertThat(seen.get("groups")).isGreaterThan(20);
    assertThat(seen.get("groups in part")).isGreaterThan(20);
    assertThat(seen.get("no hosts")).isGreaterThan(20);
    assertThat(seen.get("evictions")).isGreaterThan(5);
  }

  @Property(tries = 3)
  void dozensOfHosts(@ForAll long seed) {
    againstALookAtEveryHost(maker(seed), seed, 40, 10, 60);
  }

  @ParameterizedTest
  @CsvSource({"8, 6, 120", "19, 8, 120", "66, 8, 120", "4, 8, 120", "1, 200, 15"})
  void knownLives(long seed, int hosts, int rounds) {
    Map<String, Integer> seen =
        againstALookAtEveryHost(FullScanEquivalenceTest::qosDriven, seed, hosts, 10, rounds);

    assertThat(seen.get("preemptions")).isGreaterThan(rounds / 10);
  }

  /** From 64 hosts on, groups of hosts decide ties. */
  @ParameterizedTest
  @CsvSource({"1, 66, 1", "6, 66, 2"})
  void matchesTheReference(long seed, int hosts, int rounds) {
    ReferencePolicy policy = seed % 2 == 1 ? QosDriven.PAPER : PriorityBased.PAPER;
    Churn churn =
        new Churn(
            new ReferenceScheduler(policy, Churn.CLASSES, seed, Optional.of(Policies.WATCHDOG)),
            seed % 2 == 1
                ? start(FullScanEquivalenceTest::qosDriven, seed)
                : start(FullScanEquivalenceTest::priority, seed),
            seed,
            hosts,
            8);
    churn.live(rounds);

    assertThat(churn.seen().get("preemptions")).isPositive();
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({"1, 80, 4", "6, 70, 4", "2, 130, 4"})
  void matchesTheReferenceForLong(long seed, int hosts, int rounds) {
    matchesTheReference(seed, hosts, rounds);
  }

  private static Policy qosDriven(PolicyContext context) {
    QosDrivenFactory factory = new QosDrivenFactory();
    return factory.create(factory.defaults(), context);
  }

  private static Policy priority(PolicyContext context) {
    PriorityFactory factory = new PriorityFactory();
    return factory.create(factory.defaults(), context);
  }

  private static Map<String, Integer> againstALookAtEveryHost(
      Function<PolicyContext, Policy> maker, long seed, int hosts, int fullness, int rounds) {
    return againstALookAtEveryHost(maker, seed, hosts, fullness, rounds, false);
  }

  private static Map<String, Integer> againstALookAtEveryHost(
      Function<PolicyContext, Policy> maker,
      long seed,
      int hosts,
      int fullness,
      int rounds,
      boolean withGroups) {
    Churn churn =
        new Churn(
            start(context -> maker.apply(new FullScanContext(context)), seed),
            start(maker, seed),
            seed,
            hosts,
            fullness,
            withGroups);
    churn.live(rounds);
    return churn.seen();
  }

  private static EventTarget start(Function<PolicyContext, Policy> maker, long seed) {
    return EventTarget.of(
        Scheduler.builder()
            .policy("crowded", maker)
            .serviceClasses(Churn.CLASSES)
            .seed(seed)
            .decisionLog(0)
            .build());
  }

  /** Either policy with arbitrary settings. */
  private static Function<PolicyContext, Policy> maker(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    QosDrivenConfig config =
        new QosDrivenConfig(
            Policies.WATCHDOG,
            random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(2370),
            random.nextBoolean() ? QueueReading.BY_METRIC : QueueReading.URGENT_FIRST,
            new ScoreWeights(random.nextInt(3) == 0 ? 0 : 1, random.nextInt(3) == 0 ? 0.3 : 1),
            random.nextInt(4) == 0
                ? PreemptionCostReading.AS_PRINTED
                : PreemptionCostReading.SLACK_SUMS,
            random.nextBoolean(),
            random.nextBoolean(),
            random.nextInt(-1, 4));
    if (random.nextInt(3) == 0) {
      QosHysteresisConfig paid =
          new QosHysteresisConfig(
              random.nextBoolean() ? 0.0125 : 0.2,
              config.expectedOverhead(),
              Overload.EQUAL,
              Policies.WATCHDOG,
              config.allocationScore());
      return context -> new QosHysteresisFactory().create(paid, context);
    }
    if (random.nextInt(3) > 0) {
      return context -> new QosDrivenFactory().create(config, context);
    }
    return context ->
        new PriorityFactory()
            .create(
                new PriorityConfig(
                    config.watchdog(),
                    config.allocationScore(),
                    config.minimizeVictims(),
                    config.preemptStarting()),
                context);
  }
}
