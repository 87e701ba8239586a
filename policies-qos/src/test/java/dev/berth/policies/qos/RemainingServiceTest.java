package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Slo;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RemainingServiceTest {

  private static final long SECOND = 1_000_000_000;
  private static final Slo HALF = Slo.of(0.5);
  private static final int[] NONE = {};

  private static RemainingService of(Slo slo, int[] completed, int... present) {
    long[] counts = new long[ServiceGrid.STEPS];
    long[] sums = new long[ServiceGrid.STEPS];
    long[] alive = new long[ServiceGrid.STEPS];
    for (int seconds : completed) {
      counts[step(seconds)]++;
      sums[step(seconds)] += seconds;
    }
    for (int seconds : present) {
      alive[step(seconds)]++;
    }
    return new RemainingService(slo, false, counts, sums, alive);
  }

  private static int step(long seconds) {
    return ServiceGrid.step(seconds * SECOND);
  }

  private static int[] times(int count, int seconds) {
    int[] all = new int[count];
    Arrays.fill(all, seconds);
    return all;
  }

  @Test
  void stepsAreAFourthOfAnOctaveAndLevelsTwoSteps() {
    assertThat(step(0)).isZero();
    assertThat(step(11)).isZero();
    assertThat(step(12)).isEqualTo(1); // 60 s times the fourth root of 2, less 60 s, is 11.35 s
    assertThat(step(60)).isEqualTo(4);
    assertThat(step(180)).isEqualTo(8);
    assertThat(ServiceGrid.level(180 * SECOND)).isEqualTo(4);
    assertThat(ServiceGrid.step(Long.MAX_VALUE)).isEqualTo(ServiceGrid.STEPS - 1);
  }

  @Test
  void withoutDataTheLeastAttainedGoesFirst() {
    RemainingService unknown = of(HALF, NONE);

    for (int seconds : new int[] {60, 180, 420, 3600}) {
      assertThat(unknown.level(step(2 * seconds + 60), 1))
          .isGreaterThan(unknown.level(step(seconds), 1));
    }
    assertThat(unknown.ends(step(60))).isFalse();
    assertThat(unknown.overdue(step(60))).isEqualTo(Long.MAX_VALUE);
    assertThat(of(Slo.of(0.9), NONE).overdue(step(60))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void jobsThatAreAlikeHaveOneLevelUntilTheyAreLonger() {
    RemainingService alike = of(HALF, times(100, 600));

    assertThat(alike.level(step(590), 1)).isEqualTo(alike.level(0, 1));
    assertThat(alike.level(step(3600), 1)).isGreaterThan(alike.level(0, 1));
  }

  @Test
  void whoHasOutlivedTheShortOnesHasMuchToCome() {
    int[] bimodal = times(100, 60);
    Arrays.fill(bimodal, 90, 100, 7200);
    RemainingService both = of(HALF, bimodal);

    assertThat(both.level(step(120), 1)).isGreaterThan(both.level(0, 1) + 2);
  }

  @Test
  void anInstanceEndsUnlessTenTimesAsManyArePresentThatAttainedAsMuch() {
    int[] completed = times(10, 600);

    assertThat(of(HALF, completed, times(88, 700)).ends(step(500))).isTrue();
    assertThat(of(HALF, completed, times(89, 700)).ends(step(500))).isFalse();
    assertThat(of(HALF, completed, times(89, 100)).ends(step(500))).isTrue();
  }

  /** One that must run on for longer than jobs do cannot meet its objective. */
  @Test
  void beyondRescueIsWhoeverWouldHaveToBeLongerThanMost() {
    long toRun = of(HALF, times(100, 600)).overdue(0);

    assertThat(toRun).isBetween(600 * SECOND, 720 * SECOND); // the end of the step
    assertThat(of(Slo.of(0.8), times(100, 600)).overdue(0)).isBetween(toRun / 4 - 1, toRun / 4 + 1);
    assertThat(of(Slo.of(1), times(100, 600)).overdue(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingIsBeyondRescueOfWhichNothingIsKnownHoweverShortItIs() {
    Outlook shortest = new Outlook(of(Slo.of(1), times(100, 3600)), 1e-9, 0);

    assertThat(shortest.overdue()).isEqualTo(Long.MAX_VALUE);
  }
}
