package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.MemoryProfile.Step;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryProfileTest {

  private final MemoryProfile profile =
      MemoryProfile.of(List.of(new Step(0, 500), new Step(100, 4_500), new Step(300, 1_000)));

  @Test
  void stepHoldsUntilTheNext() {
    assertThat(profile.needAt(0)).isEqualTo(500);
    assertThat(profile.needAt(99)).isEqualTo(500);
    assertThat(profile.needAt(100)).isEqualTo(4_500);
    assertThat(profile.needAt(101)).isEqualTo(4_500);
    assertThat(profile.needAt(299)).isEqualTo(4_500);
    assertThat(profile.needAt(300)).isEqualTo(1_000);
    assertThat(profile.needAt(Long.MAX_VALUE)).isEqualTo(1_000);
    assertThat(profile.stepAt(99)).isZero();
    assertThat(profile.stepAt(100)).isEqualTo(1);
    assertThat(profile.stepAt(Long.MAX_VALUE)).isEqualTo(2);
  }

  @Test
  void returnsStepsAndExtremes() {
    assertThat(profile.size()).isEqualTo(3);
    assertThat(profile.from(1)).isEqualTo(100);
    assertThat(profile.need(2)).isEqualTo(1_000);
    assertThat(profile.initial()).isEqualTo(500);
    assertThat(profile.maximum()).isEqualTo(4_500);
    assertThat(profile.steps())
        .containsExactly(new Step(0, 500), new Step(100, 4_500), new Step(300, 1_000));
    assertThat(MemoryProfile.of(profile.steps())).isEqualTo(profile).hasSameHashCodeAs(profile);
    assertThat(MemoryProfile.constant(7)).isEqualTo(MemoryProfile.of(List.of(new Step(0, 7))));
    assertThat(MemoryProfile.constant(7)).isNotEqualTo(MemoryProfile.constant(8));
    assertThat(MemoryProfile.of(List.of(new Step(0, 500_000_000), new Step(1, 4_500_000_000L))))
        .hasToString("memory 0.5 to 4.5 in 2 steps");
  }

  @Test
  void averageCoversTheRunOnly() {
    assertThat(profile.average(400)).isEqualTo((500 * 100 + 4_500 * 200 + 1_000 * 100) / 400);
    assertThat(profile.average(100)).isEqualTo(500);
    assertThat(profile.average(200)).isEqualTo(2_500);
    assertThat(profile.average(1)).isEqualTo(500);
    assertThat(profile.average(101)).as("539.6, rounded up").isEqualTo(540);
  }

  @Test
  void averageIsExact() {
    Random random = new Random(3);
    for (int i = 0; i < 5_000; i++) {
      List<Step> steps = new ArrayList<>();
      long from = 0;
      for (int s = random.nextInt(1, 12); s > 0; s--) {
        steps.add(new Step(from, random.nextLong(1, 1L << random.nextInt(3, 45))));
        from += random.nextLong(1, 1L << random.nextInt(1, 50));
      }
      long work = random.nextLong(1, 2 * from);

      assertThat(MemoryProfile.of(steps).average(work))
          .as("%s over %s", steps, work)
          .isEqualTo(exactAverage(steps, work));
    }
  }

  @Test
  void refusesInvalidValues() {
    refuses("memory profile was empty, must have a step from 0. Maybe omit the profile.");
    refuses(
        "memory profile: the first step was from 5 ns, must be from 0.",
        new Step(5, 1),
        new Step(6, 1));
    refuses(
        "memory profile: step 3 was from 10 ns, must be later than the one before it, from 10 ns.",
        new Step(0, 1),
        new Step(10, 2),
        new Step(10, 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Step(-1, 0))
        .withMessage("memory profile: a step from -1 ns needs 0 bytes; neither must be negative.");
    assertThatIllegalArgumentException().isThrownBy(() -> new Step(0, -1));
  }

  private static long exactAverage(List<Step> steps, long work) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < steps.size() && steps.get(i).from() < work; i++) {
      long end = i + 1 < steps.size() ? Math.min(work, steps.get(i + 1).from()) : work;
      sum =
          sum.add(
              BigInteger.valueOf(steps.get(i).need())
                  .multiply(BigInteger.valueOf(end - steps.get(i).from())));
    }
    BigInteger[] parts = sum.divideAndRemainder(BigInteger.valueOf(work));
    return parts[0].longValueExact() + parts[1].signum();
  }

  private static void refuses(String words, Step... steps) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemoryProfile.of(List.of(steps)))
        .withMessage(words);
  }
}
