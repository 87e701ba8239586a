package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.policy.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A switch costs 30 s. Of each class, a hundred jobs of 600 s completed. So an instance that has
 * attained up to 618.8 s is likely to end and has level 6; with more, its level is greater.
 */
class AttainedRuleTest {

  private static final long SECOND = 1_000_000_000;
  private static final long NOW = 20_000 * SECOND; // the tables hold for an hour from now on

  /** Slack grows by 1 s per second of service for gold, and by 0.25 s for others. */
  private static final List<ServiceClass> CLASSES =
      List.of(
          serviceClass("gold", 1, 10, 0.5),
          serviceClass("plum", 2, 20, 0.8),
          serviceClass("silver", 2, 10, 0.8),
          serviceClass("bronze", 3, 40, 0.8));

  private static final int SILVER = 2;

  private final ServiceHistory history = new ServiceHistory(CLASSES, Estimates.IGNORE);
  private final AttainedRule rule =
      new AttainedRule(history, Duration.ofSeconds(30), CLASSES, QosUnit.NANOSECOND);

  private static ServiceClass serviceClass(String name, int importance, int margin, double slo) {
    return ServiceClass.builder(name)
        .slo(slo)
        .importance(importance)
        .safetyMargin(Duration.ofSeconds(margin))
        .preemptionOverheadLimit(0.2)
        .build();
  }

  @BeforeEach
  void learn() {
    List<Completion> completions = new ArrayList<>();
    for (ServiceClass each : CLASSES) {
      completions.addAll(
          StubPass.completions(100, StubJob.request("done", each, job -> job), each, 600));
    }
    history.observe(StubPass.at(0, List.of()));
    history.observe(StubPass.at(NOW, completions));
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * SECOND);
  }

  private static StubJob victim(int rank, double served, double ran, boolean loses) {
    ServiceClass its = CLASSES.get(rank);
    return StubJob.pending(
            StubJob.request("victim", its, job -> job.losesProgress(loses)), its, -NOW)
        .thatServed(nanos(served))
        .runningSince(NOW - nanos(ran));
  }

  /**
   * Requires a verdict.
   *
   * @param bound up to which value of the beneficiary it is allowed, or for how long it is refused,
   *     in seconds; some are a little before the values cross
   */
  private void requires(Pair pair, String code, String bound) {
    Verdict verdict = rule.judge(pair);
    assertThat(verdict.code()).isEqualTo(code);
    assertThat(verdict.allowed()).isEqualTo(code.length() == 1);
    assertThat(verdict.closesClass())
        .isEqualTo(List.of("no-need", "more-important").contains(code));
    boolean always = bound.equals("always");
    if (verdict.allowed()) {
      long upTo = rule.allowedUpTo(pair);
      assertThat(upTo).isEqualTo(always ? Long.MAX_VALUE : nanos(Double.parseDouble(bound)));
      assertThat(rule.judge(pair.withValue(upTo)).allowed()).isTrue();
      assertThat(rule.judge(pair.withValue(upTo + 1)).allowed()).isEqualTo(always);
    } else if (always) {
      assertThat(rule.refusedUntil(pair)).isEqualTo(Long.MAX_VALUE);
    } else {
      long until = NOW + nanos(Double.parseDouble(bound));
      assertThat(rule.refusedUntil(pair)).isBetween(Math.max(NOW, until - 10_000), until);
    }
  }

  @ParameterizedTest(
      name = "j of rank {0}, level {1}, Q {2}; k of rank {3}, served {4} + {5} s, Q {6}: {7}, {8}")
  @CsvSource({
    // (B) j is below its margin and price, or k beyond its margin
    "0, 6, 39.999999999, 3, 300, 0, 40, B, 39.999999999",
    "0, 6, 40, 3, 300, 0, 40, no-need, 0",
    "0, 6, 40, 3, 300, 0, 40.000000001, B, always",
    "0, 6, 45, 3, 300, 0, 39, no-need, 4", // until k is beyond its margin
    "0, 6, 43, 3, 300, 0, 39, no-need, 3", // until j is below
    // (S) k is more important, but ahead by more than the price
    "3, 6, 39.999999999, 0, 3600, 0, 100, S, 39.999999999",
    "3, 6, 40, 0, 3600, 0, 100, more-important, 0",
    "3, 6, 50, 0, 3600, 0, 100, more-important, 10",
    "3, 6, 0, 0, 3600, 0, 40.000000001, S, 10",
    "3, 6, 0, 0, 3600, 0, 40, more-important, 0",
    "3, 6, 0, 0, 3600, 0, 35, more-important, 5",
    "3, 6, 19.999999999, 0, 3600, 0, 50, S, 19.999999999",
    "3, 6, 20, 0, 3600, 0, 50, more-important, 0",
    "3, 6, 39, 0, 3600, 0, 55, more-important, 7",
    "3, 6, 0, 0, 590, 0, 100, more-important-and-ends, 28.822509939",
    "3, 6, 0, 0, 300, 0, 100, more-important-and-ends, 318.822509939",
    // (G) k is of a greater level, beyond its margin and better off
    "1, 5, -100, 2, 200, 10, 10.000000001, G, 10",
    "1, 5, -100, 2, 200, 10, 10, not-longer, 0",
    "1, 5, -100, 2, 200, 10, 9, not-longer, 4",
    "1, 5, 11.999999999, 2, 200, 10, 12, G, 11.999999999",
    "1, 5, 12, 2, 200, 10, 12, not-longer, 0",
    "1, 5, 17, 2, 200, 10, 12, not-longer, 4",
    "1, 5, 212, 2, 200, 10, 12, not-longer, 15.4097076", // until k has attained more
    "1, 5, -100, 2, 200, 9.999999999, 12, too-soon, 0.000000001",
    "1, 5, -100, 2, 200, 5, 12, too-soon, 5",
    "1, 6, -100, 2, 200, 10, 12, not-longer, 408.822509939", // until k no longer ends
    "1, 6, 0, 2, 200, 10, 100, not-longer, 408.822509939",
    "1, 5, 0, 2, 3600, 180, 12, G, 11.999999999",
    "1, 5, 0, 2, 3600, 179.999999999, 100, too-soon, 0.000000001",
    // (S) k is no more important, but a service that is ahead
    "1, 51, 19.999999999, 2, 3600, 780, 100, S, 19.999999999",
    "1, 51, 0, 2, 3600, 780, 45, S, 14.999999999",
    "1, 51, 20, 2, 3600, 780, 100, not-longer, 0",
    "1, 51, 25, 2, 3600, 780, 100, not-longer, 5",
    "1, 51, 0, 2, 3600, 780, 39, not-longer, 4",
    "1, 51, 19, 2, 3600, 780, 44, not-longer, 4",
    "1, 51, 5000, 2, 3600, 780, 100, not-longer, 3600", // until the tables change
    "1, 51, 0, 2, 3600, 779.999999999, 100, too-soon, 0.000000001",
    "1, 51, 0, 2, 3600, 700, 100, too-soon, 80",
  })
  void judgesByImportanceServiceToComeAndSlack(
      int classJ,
      int level,
      double valueJ,
      int classK,
      double served,
      double ran,
      double valueK,
      String code,
      String bound) {
    StubJob victim = victim(classK, served, ran, false);

    requires(new Pair(classJ, level, nanos(valueJ), victim, nanos(valueK)), code, bound);
  }

  /** It has attained 300 s: it has to run for 339.4 s to be longer than most, a fourth overdue. */
  @ParameterizedTest(name = "level {0}, served {1} + {2} s, {3} ns beyond rescue: {4}, {5}")
  @CsvSource({
    "5, 270, 30, 1, G, always",
    "5, 270, 30, 0, not-longer, 43.630279321", // the bound falls with the next step
    "6, 270, 30, 1, not-longer, 318.822509939",
    "5, 290, 10, 1, too-soon, 4.5",
  })
  void whoIsBeyondRescueYieldsToAnEqualWithLessToCome(
      int level, double served, double ran, long beyond, String code, String bound) {
    StubJob victim = victim(SILVER, served, ran, false);
    long value = -history.of(victim, NOW).overdue() - beyond;

    requires(new Pair(1, level, 0, victim, value), code, bound);
  }

  /** It has waited for more than a hundred mean services when the tables change. */
  @ParameterizedTest
  @ValueSource(longs = {59_000, 61_000})
  void whoHasWaitedLongestIsNotBeyondRescue(long waited) {
    long admitted = NOW + 3_600 * SECOND - waited * SECOND;
    StubJob victim = victim(SILVER, 270, 30, false);
    StubJob early = StubJob.pending(victim.request(), CLASSES.get(SILVER), admitted);
    history.observe(StubPass.at(history.until(), List.of(), early));
    Pair pair =
        new Pair(1, 5, 0, early.thatServed(270 * SECOND).runningSince(NOW - 30 * SECOND), -NOW);

    assertThat(rule.judge(pair).allowed()).isEqualTo(waited == 59_000);
  }

  @ParameterizedTest(name = "j of rank {0}: {1}")
  @CsvSource({"0, B, 39.999999999", "1, loses-progress, always", "2, loses-progress, always"})
  void whoLosesItsProgressYieldsOnlyToTheMoreImportant(int classJ, String code, String bound) {
    requires(new Pair(classJ, 5, 0, victim(SILVER, 0, 300, true), -NOW), code, bound);
  }

  /** It has attained 400 s, and may lose a fifth of its time to restarts. */
  @ParameterizedTest(name = "j of rank {0}, k with Q {1} lost {2} s: {3}, {4}")
  @CsvSource({
    "2, 12, 100, G, 11.999999999",
    "2, 12, 100.000000001, over-overhead-limit, 0",
    "2, 12, 150, over-overhead-limit, 200",
    "2, 9, 150, not-longer, 200",
    "1, 12, 150, G, 11.999999999", // the limit protects from the own class only
  })
  void overheadLimitProtectsWithinTheClass(
      int classJ, double valueK, double lost, String code, String bound) {
    StubJob victim = victim(SILVER, 300, 100, false).thatLost(nanos(lost));

    requires(new Pair(classJ, 5, 0, victim, nanos(valueK)), code, bound);
  }

  private record Pair(
      int beneficiaryClassRank, int level, long beneficiaryValue, Instance victim, long victimValue)
      implements PreemptionPair {

    Pair withValue(long value) {
      return new Pair(beneficiaryClassRank, level, value, victim, victimValue);
    }

    @Override
    public long now() {
      return NOW;
    }

    @Override
    public Instance beneficiary() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int beneficiaryTier() {
      return 4 * ServiceGrid.LEVELS + level;
    }

    @Override
    public int victimClassRank() {
      return CLASSES.indexOf(victim.serviceClass());
    }
  }
}
