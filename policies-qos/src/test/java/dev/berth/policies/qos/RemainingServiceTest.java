package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Slo;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemainingServiceTest {

  private static final long SECOND = 1_000_000_000;
  private static final Slo HALF = Slo.of(0.5);
  private static final int[] NONE = {};

  private static RemainingService of(Slo slo, int[] completed, int... present) {
    return of(slo, false, completed, present);
  }

  private static RemainingService of(Slo slo, boolean falls, int[] completed, int... present) {
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
    return new RemainingService(slo, falls, counts, sums, alive);
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
    assertThat(ServiceGrid.beginOfLevel(4)).isEqualTo(180 * SECOND);
    assertThat(ServiceGrid.begin(ServiceGrid.STEPS)).isEqualTo(Long.MAX_VALUE);
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
  void whereARunTimeIsExpectedTheLevelFallsAsTheEndComesNearer() {
    RemainingService expected = of(HALF, true, times(100, 600));

    assertThat(expected.level(step(590), 1)).isLessThan(expected.level(0, 1));
    assertThat(expected.level(step(430), 1)).isEqualTo(4);
    assertThat(new Outlook(expected, 1, 430 * SECOND).changesIn(3))
        .as("no longer above level 3")
        .isEqualTo(ServiceGrid.begin(step(430) + 1) - 430 * SECOND);
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
    assertThat(of(HALF, times(100, 600)).overdue(step(180))).isEqualTo(toRun - 180 * SECOND);
    assertThat(of(Slo.of(0.8), times(100, 600)).overdue(0)).isBetween(toRun / 4 - 1, toRun / 4 + 1);
    assertThat(of(Slo.of(1), times(100, 600)).overdue(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingIsBeyondRescueOfWhichNothingIsKnownHoweverShortItIs() {
    Outlook shortest = new Outlook(of(Slo.of(1), times(100, 3600)), 1e-9, 0);

    assertThat(shortest.overdue()).isEqualTo(Long.MAX_VALUE);
  }

  /** After jobs of 600 s: they end up to step 13, and their level is 6; then it is 7, 7, 8, 8. */
  @ParameterizedTest(name = "from step {0} at scale {1}, above {2}: {3}")
  @CsvSource({
    "10, 1, 6, 14",
    "10, 1, 5, 11",
    "14, 1, 7, 16",
    "14, 2, 7, 15",
    "14, 0.5, 7, 20", // 900 of 1920 s
    "14, 0.46875, 7, 20", // just where level 8 begins
    "14, 1, 51, 104",
  })
  void changesWhereTheLevelExceedsAnotherOrJobsNoLongerEnd(
      int step, double scale, int above, int changes) {
    assertThat(of(HALF, times(100, 600)).changes(step, scale, above)).isEqualTo(changes);
  }

  @Test
  void changesWhereJobsEndAgain() {
    RemainingService few = of(HALF, times(10, 3600), times(200, 100));

    assertThat(few.ends(0)).isFalse();
    assertThat(few.changes(0, 1, ServiceGrid.LEVELS)).isEqualTo(step(100) + 1);
  }

  @ParameterizedTest(name = "after {1} s, scaled by {0}, above level {2}: at {3} s")
  @CsvSource({
    "1, 300, 6, 618.82", // jobs end no more
    "1, 300, 5, 343.63", // it is, and may no longer be
    "1, 700, 7, 900",
    "0.5, 300, 5, 309.41",
    "2, 300, 7, 360",
    "1, 700, 51, never",
  })
  void anOutlookHoldsUntilAScaledStepBegins(
      double scale, long attained, int above, String seconds) {
    long in = new Outlook(of(HALF, times(100, 600)), scale, attained * SECOND).changesIn(above);

    if (seconds.equals("never")) {
      assertThat(in).isEqualTo(Long.MAX_VALUE);
    } else {
      assertThat((double) in / SECOND)
          .isCloseTo(Double.parseDouble(seconds) - attained, within(0.01));
    }
  }

  @Test
  void whatIsExpectedToBeHalfAsLongIsBeyondRescueAfterHalfTheTime() {
    RemainingService table = of(HALF, times(100, 600));
    Outlook half = new Outlook(table, 0.5, 90 * SECOND);

    assertThat(half.overdue()).isEqualTo(table.overdue(step(180)) / 2);
    assertThat(half.level()).isEqualTo(5).isEqualTo(table.level(step(180), 1) - 1);
  }

  /** Values and times beyond that may not be added. */
  @Test
  void fromHalfTheGreatestTimeOnIsNever() {
    RemainingService table = of(HALF, times(100, 600));
    double overdue = 0x1p61 / (double) table.overdue(0);
    double change = 0x1p61 / (double) ServiceGrid.begin(1);

    assertThat(new Outlook(table, overdue, 0).overdue()).isEqualTo(Long.MAX_VALUE);
    assertThat(new Outlook(table, Math.nextDown(overdue), 0).overdue()).isLessThan(1L << 61);
    assertThat(new Outlook(table, change, 0).changesIn(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(new Outlook(table, Math.nextDown(change), 0).changesIn(0)).isLessThan(1L << 61);
  }
}
