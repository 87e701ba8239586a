package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.PerformanceMemoryProfile.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class PerformanceMemoryProfileTest {

  /** Canneal: run time in seconds with 2, 1.5 and 1 GB. */
  private final PerformanceMemoryProfile canneal =
      PerformanceMemoryProfile.of(
          List.of(new Point(2_000, 247), new Point(1_000, 102_273), new Point(1_500, 539)));

  @Test
  void pointHoldsUntilTheNext() {
    assertThat(canneal.runTime(1_000)).isEqualTo(102_273);
    assertThat(canneal.runTime(1_499)).isEqualTo(102_273);
    assertThat(canneal.runTime(1_500)).isEqualTo(539);
    assertThat(canneal.runTime(1_999)).isEqualTo(539);
    assertThat(canneal.runTime(2_000)).isEqualTo(247);
    assertThat(canneal.runTime(Long.MAX_VALUE)).isEqualTo(247);
  }

  @Test
  void smallestPointHoldsBelowIt() {
    assertThat(canneal.runTime(999)).isEqualTo(102_273);
    assertThat(canneal.runTime(0)).isEqualTo(102_273);
  }

  @Test
  void slowdownIsTheRatioToTheBestRun() {
    assertThat(canneal.slowdown(2_000)).isEqualTo(Slowdown.NONE);
    assertThat(canneal.slowdown(1_999)).isEqualTo(Slowdown.of(539 / 247.0));
    assertThat(canneal.slowdown(1_200)).isEqualTo(Slowdown.of(102_273 / 247.0));
    assertThat(canneal.slowdown(0)).isEqualTo(Slowdown.of(102_273 / 247.0));
  }

  @Test
  void capsTheRatioAtAMillion() {
    PerformanceMemoryProfile steep =
        PerformanceMemoryProfile.of(List.of(new Point(0, Long.MAX_VALUE), new Point(1, 1)));

    assertThat(steep.slowdown(0)).isEqualTo(Slowdown.of(1e6));
  }

  @Test
  void keepsPointsByAscendingMemory() {
    assertThat(canneal.points()).extracting(Point::memory).containsExactly(1_000L, 1_500L, 2_000L);
    assertThat(PerformanceMemoryProfile.of(canneal.points()))
        .isEqualTo(canneal)
        .hasSameHashCodeAs(canneal);
    assertThat(PerformanceMemoryProfile.of(List.of(new Point(1, 1)))).isNotEqualTo(canneal);
    assertThat(PerformanceMemoryProfile.of(List.of(new Point(1, 2))))
        .hasToString("performance-memory profile of [Point[memory=1, runTime=2]]");
  }

  @Test
  void refusesInvalidValues() {
    refuses("performance-memory profile was empty, must have a point. Maybe omit the profile.");
    refuses(
        "performance-memory profile: memory 0.5 was given twice.",
        new Point(500_000_000, 2),
        new Point(500_000_000, 1));
    refuses(
        "performance-memory profile: run time with memory 2 was 9 ns, longer than the 8 ns with 1; more memory must not be slower.",
        new Point(2_000_000_000, 9),
        new Point(1_000_000_000, 8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Point(1, 0))
        .withMessage(
            "performance-memory profile: memory 1 with run time 0 ns; memory must not be negative, run time must be positive.");
    assertThatIllegalArgumentException().isThrownBy(() -> new Point(-1, 1));
  }

  private static void refuses(String words, Point... points) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PerformanceMemoryProfile.of(List.of(points)))
        .withMessage(words);
  }
}
