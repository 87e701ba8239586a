package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QosPreemptionRuleTest {

  /** Ranks: 0 gold (importance 1), 1 plum and 2 silver (both importance 2), 3 bronze (3). */
  private static final List<ServiceClass> CLASSES =
      List.of(
          serviceClass("gold", 1, 10),
          serviceClass("plum", 2, 10),
          serviceClass("silver", 2, 10),
          serviceClass("bronze", 3, 10));

  private static ServiceClass serviceClass(String name, int importance, int margin) {
    return ServiceClass.builder(name)
        .slo(0.9)
        .importance(importance)
        .safetyMargin(Duration.ofNanos(margin))
        .build();
  }

  @ParameterizedTest(name = "j of rank {0} at Q {1}, k of rank {2} at Q {3}: {4}")
  @CsvSource({
    // (A) the victim is at or above its margin and ahead of the beneficiary
    "3, 5, 0, 10, A",
    "3, 9, 0, 10, A",
    "0, 10, 3, 11, A",
    "3, 10, 0, 10, not-ahead",
    "3, 12, 0, 11, not-ahead",
    // (B) both below, the beneficiary more important; Q does not matter
    "0, 9, 3, 9, B",
    "0, 9, 3, -100, B",
    "0, 10, 3, 9, within-margin",
    "3, -100, 0, 9, more-important",
    // (C) both below, equally important, the victim better off
    "1, 4, 1, 5, C",
    "1, 4, 2, 5, C",
    "1, 5, 1, 5, not-ahead",
    "1, 6, 2, 5, not-ahead",
    "1, 10, 2, 9, within-margin",
  })
  void judgesByTheRulesOfThePaper(int classJ, long qJ, int classK, long qK, String code) {
    Verdict verdict =
        new QosPreemptionRule(CLASSES, QosUnit.NANOSECOND, QosDrivenConfig.UNLIMITED)
            .judge(new Pair(classJ, qJ, classK, qK, 0, 0));
    assertThat(verdict.code()).isEqualTo(code);
    assertThat(verdict.allowed()).isEqualTo(code.length() == 1);
  }

  @ParameterizedTest(name = "j of rank {0}, k of rank {1}, C {2}: {3}")
  @CsvSource({
    "1, 1, 0.1, A", // the limit of slo 0.9 is 0.1; it is not exceeded
    "1, 1, 0.1000001, over-overhead-limit",
    "2, 1, 0.9, A", // the limit protects from the own class only
    "0, 1, 0.9, A",
  })
  void overheadLimitProtectsWithinTheClass(int classJ, int classK, double overhead, String code) {
    assertThat(
            new QosPreemptionRule(CLASSES, QosUnit.NANOSECOND, QosDrivenConfig.UNLIMITED)
                .judge(new Pair(classJ, 0, classK, 50, overhead, 0))
                .code())
        .isEqualTo(code);
  }

  @ParameterizedTest(name = "j of rank {0} at Q {1}, k of rank {2} at Q {3}, preempted {4}: {5}")
  @CsvSource({
    "3, 0, 0, 50, 1, A",
    "3, 0, 0, 50, 2, at-preemption-limit", // less important
    "1, 0, 2, 50, 2, at-preemption-limit", // equally important, of another class
    "1, 4, 1, 5, 3, at-preemption-limit", // (C)
    "0, 0, 3, 50, 2, A", // the limit does not protect from the more important
    "0, 9, 3, 9, 2, B",
    "3, 12, 0, 11, 2, not-ahead",
  })
  void limitOfPreemptionsProtectsFromAllButTheMoreImportant(
      int classJ, long qJ, int classK, long qK, int preemptions, String code) {
    Verdict verdict =
        new QosPreemptionRule(CLASSES, QosUnit.NANOSECOND, 2)
            .judge(new Pair(classJ, qJ, classK, qK, 0, preemptions));
    assertThat(verdict.code()).isEqualTo(code);
    assertThat(verdict.closesClass()).isEqualTo(code.equals("not-ahead"));
  }

  @ParameterizedTest(name = "j of margin {0} at Q {1}, k of margin {2} at Q {3}: closes {4}")
  @CsvSource({
    "20, 15, 10, 12, false", // (B) may hold for the next victim, which may be below its margin
    "20, 19, 10, 19, false",
    "20, 20, 10, 12, true", // j is at its margin, so only (A) may hold, and did not
    "10, 12, 10, 12, true",
    "10, 10, 10, 9, true",
  })
  void closesAClassWithoutEligibleVictims(
      int marginJ, long qJ, int marginK, long qK, boolean closes) {
    List<ServiceClass> two =
        List.of(serviceClass("important", 1, marginJ), serviceClass("other", 2, marginK));

    Verdict verdict =
        new QosPreemptionRule(two, QosUnit.NANOSECOND, QosDrivenConfig.UNLIMITED)
            .judge(new Pair(0, qJ, 1, qK, 0, 0));

    assertThat(verdict.allowed()).isFalse();
    assertThat(verdict.closesClass()).isEqualTo(closes);
  }

  @ParameterizedTest(name = "j of margin {0}, k of margin {1} at Q {2}: up to {3}")
  @CsvSource({
    "20, 10, 11, 10", // (A)
    "20, 10, 10, 9",
    "5, 10, 10, 9",
    "20, 10, 9, 19", // (B)
    "5, 10, 9, 4",
  })
  void permissionsHoldUpToAValue(int marginJ, int marginK, long qK, long most) {
    QosPreemptionRule rule =
        new QosPreemptionRule(
            List.of(serviceClass("important", 1, marginJ), serviceClass("other", 2, marginK)),
            QosUnit.NANOSECOND,
            QosDrivenConfig.UNLIMITED);

    assertThat(rule.allowedUpTo(new Pair(0, 0, 1, qK, 0, 0))).isEqualTo(most);
    assertThat(rule.judge(new Pair(0, most, 1, qK, 0, 0)).allowed()).isTrue();
    assertThat(rule.judge(new Pair(0, most + 1, 1, qK, 0, 0)).allowed()).isFalse();
  }

  /** A refusal may close a class only if it holds for every later victim, with a smaller Q. */
  @Property(tries = 5000)
  void closedClassHasNoEligibleVictim(
      @ForAll @IntRange(max = 1) int classJ,
      @ForAll @IntRange(max = 1) int classK,
      @ForAll @IntRange(min = 1, max = 2) int importanceJ,
      @ForAll @IntRange(max = 8) int marginJ,
      @ForAll @IntRange(max = 8) int marginK,
      @ForAll @IntRange(min = -4, max = 12) int qJ,
      @ForAll @IntRange(min = -4, max = 12) int qK,
      @ForAll @IntRange(min = 1, max = 16) int less) {
    List<ServiceClass> two =
        List.of(
            serviceClass("a", importanceJ, marginJ), serviceClass("b", 3 - importanceJ, marginK));
    QosPreemptionRule rule =
        new QosPreemptionRule(two, QosUnit.NANOSECOND, QosDrivenConfig.UNLIMITED);
    Verdict verdict = rule.judge(new Pair(classJ, qJ, classK, qK, 0, 0));
    if (verdict.closesClass()) {
      assertThat(rule.judge(new Pair(classJ, qJ, classK, qK - less, 0, 0)).allowed()).isFalse();
    }
  }

  private record Pair(
      int beneficiaryClassRank,
      long beneficiaryValue,
      int victimClassRank,
      long victimValue,
      double overhead,
      int preemptions)
      implements PreemptionPair {

    @Override
    public long now() {
      return 0;
    }

    @Override
    public Instance beneficiary() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instance victim() {
      return new LossesOnly(overhead, preemptions);
    }
  }

  /** An instance that only has a preemption overhead and a number of preemptions. */
  private record LossesOnly(double overhead, int preemptions) implements Instance {

    @Override
    public double preemptionOverhead(long now) {
      return overhead;
    }

    @Override
    public Request request() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServiceClass serviceClass() {
      throw new UnsupportedOperationException();
    }

    @Override
    public InstanceState state() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Host> host() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long admittedAt() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long stateSince() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long serviceTime(long now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long earnedTime(long now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int placements() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long restartOverhead() {
      throw new UnsupportedOperationException();
    }
  }
}
