package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaidSwitchRuleTest {

  private static final long NOW = 1_000;

  /** Ranks: 0 gold (importance 1), 1 plum and 2 silver (both importance 2), 3 bronze (3). */
  private static final List<ServiceClass> CLASSES =
      List.of(
          serviceClass("gold", 1, 10),
          serviceClass("plum", 2, 10),
          serviceClass("silver", 2, 10),
          serviceClass("bronze", 3, 10));

  private static ServiceClass serviceClass(String name, int importance, int margin) {
    return ServiceClass.builder(name)
        .slo(0.5)
        .importance(importance)
        .safetyMargin(Duration.ofNanos(margin))
        .build();
  }

  private static QosHysteresisConfig config(double share, Duration overhead) {
    return new QosHysteresisConfig(
        share, overhead, Overload.EQUAL, Duration.ofSeconds(10), ScoreWeights.EQUAL);
  }

  private static PaidSwitchRule rule(
      QosHysteresisConfig config, List<ServiceClass> classes, QosUnit unit) {
    return new PaidSwitchRule(config, classes, unit, new SwitchPrice(config, classes, unit));
  }

  /** A switch costs 0.5 · 5 / 0.5 = 5 ns. */
  private static PaidSwitchRule priced(List<ServiceClass> classes) {
    return rule(config(0.5, Duration.ofNanos(5)), classes, QosUnit.NANOSECOND);
  }

  /** Restarts may take 0.1 of a life. */
  private static PaidSwitchRule protecting(Duration overhead) {
    return rule(config(0.05, overhead), CLASSES, QosUnit.NANOSECOND);
  }

  @ParameterizedTest(
      name = "j of rank {0} at Q + price {1}, k of rank {2} at Q {3}: {4}, closes {5}")
  @CsvSource({
    // (A) the victim is at or above its margin, and further ahead than the price
    "3, 9, 0, 10, A, false",
    "3, 10, 0, 10, not-worth-a-switch, true",
    "3, 20, 0, 10, not-worth-a-switch, true",
    "0, 15, 3, 15, not-worth-a-switch, true", // at its margin, so it pays
    "0, 14, 3, 10, A, false", // below it, so it does not
    // (B) both below their margins, the beneficiary more important; Q does not matter
    "0, 14, 3, 9, B, false",
    "0, 14, 3, -100, B, false",
    "0, 15, 3, 9, not-worth-a-switch, true",
    "3, -100, 0, 9, more-important, true",
    // (C) both below, equally important, and the victim better off by more than the price
    "1, 4, 1, 5, C, false",
    "1, 4, 2, 5, C, false",
    "1, 5, 1, 5, not-worth-a-switch, true",
    "1, 6, 2, 5, not-worth-a-switch, true",
  })
  void judgesByTheRulesOfThePaperWithAPrice(
      int classJ, long valueJ, int classK, long qK, String code, boolean closes) {
    Verdict verdict =
        priced(CLASSES)
            .judge(new Pair(classJ, valueJ, StubInstance.running(CLASSES.get(classK)), qK));

    assertThat(verdict.code()).isEqualTo(code);
    assertThat(verdict.allowed()).isEqualTo(code.length() == 1);
    assertThat(verdict.closesClass()).isEqualTo(closes);
  }

  @ParameterizedTest(name = "j of margin {0} at Q + 5 = {1}, k of margin {2} at Q {3}: {4}")
  @CsvSource({
    "20, 17, 10, 12, not-ahead, false", // (B) may hold for the next victim
    "20, 16, 10, 12, A, false",
    "20, 24, 10, 25, A, false",
    "0, 6, 20, 10, within-margin, true",
    "0, 4, 20, 10, B, false",
  })
  void marginsMayDiffer(
      int marginJ, long valueJ, int marginK, long qK, String code, boolean closes) {
    List<ServiceClass> two =
        List.of(serviceClass("important", 1, marginJ), serviceClass("other", 2, marginK));

    Verdict verdict =
        priced(two).judge(new Pair(0, valueJ, StubInstance.running(two.get(1)), qK, two));

    assertThat(verdict.code()).isEqualTo(code);
    assertThat(verdict.closesClass()).isEqualTo(closes);
  }

  @ParameterizedTest(name = "j of rank {0}, k of rank {1}, C {2}: {3}")
  @CsvSource({
    "1, 1, 0.5, A", // the limit of slo 0.5 is 0.5; it is not exceeded
    "1, 1, 0.5000001, over-overhead-limit",
    "2, 1, 0.9, A", // the limit protects from the own class only
    "0, 1, 0.9, A",
  })
  void overheadLimitProtectsWithinTheClass(int classJ, int classK, double overhead, String code) {
    Instance victim = StubInstance.running(CLASSES.get(classK)).withOverhead(overhead);

    assertThat(priced(CLASSES).judge(new Pair(classJ, 0, victim, 50)).code()).isEqualTo(code);
  }

  @ParameterizedTest(
      name = "j of rank {0}, {1} preemptions whose restarts took {2} of 1000 ns: {3}")
  @CsvSource({
    "3, 2, 200, A", // less an average one, 100
    "3, 2, 201, over-restart-share",
    "1, 2, 202, over-restart-share", // equally important
    "3, 4, 133, A",
    "3, 4, 134, over-restart-share",
    "3, 1, 900, A", // the first restart does not count
    "3, 0, 0, A",
    "0, 2, 900, A", // more important
  })
  void restartShareProtectsFromAllButTheMoreImportant(
      int classJ, int preemptions, long restarts, String code) {
    Instance victim =
        StubInstance.running(CLASSES.get(2)).restarted(preemptions, restarts).since(0);

    assertThat(protecting(Duration.ofNanos(1)).judge(new Pair(classJ, 0, victim, 50)).code())
        .isEqualTo(code);
  }

  @ParameterizedTest(name = "j of margin {0}, k of margin {1} at Q {2}: up to {3}")
  @CsvSource({
    "20, 10, 10, 14", // (A), at its margin: as long as j without the price is worse off
    "10, 10, 20, 19", // (A), j may also be at its margin: as long as the switch pays
    "20, 10, 9, 24", // (B): as long as j without the price is below its margin
  })
  void moreImportantMayTakeAVictimUpToAValue(int marginJ, int marginK, long qK, long upTo) {
    List<ServiceClass> two =
        List.of(serviceClass("important", 1, marginJ), serviceClass("other", 2, marginK));
    PaidSwitchRule rule = priced(two);
    Pair pair = new Pair(0, -100, StubInstance.running(two.get(1)), qK, two);

    assertThat(rule.allowedUpTo(pair)).isEqualTo(upTo);
    assertThat(rule.judge(new Pair(0, upTo, pair.victim, qK, two)).allowed()).isTrue();
    assertThat(rule.judge(new Pair(0, upTo + 1, pair.victim, qK, two)).allowed()).isFalse();
  }

  @ParameterizedTest(name = "gain {0} ns, cost {1} ns: {2}")
  @CsvSource({
    "9940000000, 12000000000, 'would gain 9.9 s, a switch costs 12 s'",
    "10000000000, 12000000000, 'would gain 10 s, a switch costs 12 s'",
    "12000000000, 12000000000, 'would gain 12 s, a switch costs 12 s'",
    "8, 12000000000, 'would gain 0.0 s, a switch costs 12 s'",
    "0, 12000000000, 'not better off by what a switch costs'",
    "-8, 12000000000, 'not better off by what a switch costs'",
  })
  void saysWhatASwitchGainsAndCosts(long gain, long cost, String words) {
    for (QosUnit unit : List.of(QosUnit.NANOSECOND, new QosUnit(3))) {
      PaidSwitchRule rule =
          rule(config(0.5, Duration.ofNanos(cost)), CLASSES, unit); // 0.5 · α / 0.5
      long q = -unit.ofNanos(1_000_000_000_000L);
      Pair pair =
          new Pair(
              1,
              q + unit.ofNanos(cost),
              StubInstance.running(CLASSES.get(1)),
              q + unit.ofNanos(gain));

      assertThat(rule.explain(pair, rule.judge(pair))).isEqualTo(words);
    }
  }

  @Test
  void explainsOtherVerdictsInTheirWords() {
    Pair pair = new Pair(3, -100, StubInstance.running(CLASSES.get(0)), 9);

    assertThat(priced(CLASSES).explain(pair, priced(CLASSES).judge(pair)))
        .isEqualTo("within margin and more important");
  }

  private record Pair(
      int beneficiaryClassRank,
      long beneficiaryValue,
      Instance victim,
      long victimValue,
      List<ServiceClass> classes)
      implements PreemptionPair {

    Pair(int beneficiaryClassRank, long beneficiaryValue, Instance victim, long victimValue) {
      this(beneficiaryClassRank, beneficiaryValue, victim, victimValue, CLASSES);
    }

    @Override
    public int victimClassRank() {
      return classes.indexOf(victim.serviceClass());
    }

    @Override
    public long now() {
      return NOW;
    }

    @Override
    public Instance beneficiary() {
      return StubInstance.pending(classes.get(beneficiaryClassRank));
    }
  }
}
