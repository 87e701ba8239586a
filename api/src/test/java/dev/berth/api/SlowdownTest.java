package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SlowdownTest {

  private static final long MILLION = 1_000_000;

  @Test
  void timeForWorkIsMinimal() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      Slowdown slowdown = new Slowdown(anyPartsPerMillion(random));
      long work = random.nextLong(1L << random.nextInt(1, 42));

      long time = slowdown.timeFor(work);

      assertThat(time).isEqualTo(exactTime(slowdown, work));
      assertThat(slowdown.workIn(time)).as("%s, %s", slowdown, work).isGreaterThanOrEqualTo(work);
      if (time > 0) {
        assertThat(slowdown.workIn(time - 1)).as("%s, %s", slowdown, work).isLessThan(work);
      }
    }
  }

  @Test
  void workIsRoundedDownAndNeverOverflows() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      Slowdown slowdown = new Slowdown(anyPartsPerMillion(random));
      long time = random.nextLong() >>> random.nextInt(1, 63);

      assertThat(slowdown.workIn(time))
          .isEqualTo(
              BigInteger.valueOf(time)
                  .multiply(BigInteger.valueOf(MILLION))
                  .divide(BigInteger.valueOf(slowdown.partsPerMillion()))
                  .longValueExact());
    }
    assertThat(Slowdown.of(2).workIn(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE / 2);
  }

  @Test
  void saturatesTimeOutOfRange() {
    assertThat(Slowdown.of(2).timeFor(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Slowdown.of(2).timeFor(Long.MAX_VALUE / 2 + 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(Slowdown.of(1e6).timeFor(9_223_372_036_855L)).isEqualTo(Long.MAX_VALUE);
    assertThat(Slowdown.of(1e6).timeFor(9_223_370_000_000L)).isEqualTo(9_223_370_000_000_000_000L);
    assertThat(new Slowdown(MILLION + 1).timeFor(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void timeIsMonotoneInWork() {
    for (double factor : new double[] {1.000001, 1.5, 2, 999_999.5, 1e6}) {
      Slowdown slowdown = Slowdown.of(factor);
      long last = 0;
      for (long work : LongStream.iterate(1, w -> w > 0, w -> w * 2).toArray()) {
        assertThat(slowdown.timeFor(work)).isGreaterThanOrEqualTo(Math.max(last, work));
        last = slowdown.timeFor(work);
      }
    }
  }

  @Test
  void atFullSpeedTimeIsWork() {
    assertThat(Slowdown.NONE.timeFor(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Slowdown.NONE.workIn(17)).isEqualTo(17);
    assertThat(Slowdown.NONE.timeFor(0)).isZero();
    assertThat(Slowdown.of(3).timeFor(0)).isZero();
    assertThat(Slowdown.NONE).hasToString("1.0");
  }

  @Test
  void roundsFactorsToMillionths() {
    assertThat(Slowdown.of(2.1)).isEqualTo(new Slowdown(2_100_000)).hasToString("2.1");
    assertThat(Slowdown.of(1.0000004)).isEqualTo(Slowdown.NONE);
    assertThat(Slowdown.of(1.0000006).partsPerMillion()).isEqualTo(1_000_001);
    assertThat(Slowdown.of(2.1).factor()).isEqualTo(2.1);
  }

  @Test
  void refusesFactorsBelowOneAndNan() {
    for (double wrong : new double[] {0.99, 0, -1, 1_000_001, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Slowdown.of(wrong))
          .withMessageEndingWith("must be from 1 (full speed) to a million.");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Slowdown.of(Double.NaN))
        .withMessage("slow-down was NaN, must be from 1 to a million.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Slowdown(500_000))
        .withMessage("slow-down was 0.5, must be from 1 (full speed) to a million.");
  }

  @Test
  void productIsCappedAtAMillion() {
    assertThat(Slowdown.of(2).times(Slowdown.of(1.5))).isEqualTo(Slowdown.of(3));
    assertThat(Slowdown.of(2).times(Slowdown.NONE)).isEqualTo(Slowdown.of(2));
    assertThat(Slowdown.NONE.times(Slowdown.of(2))).isEqualTo(Slowdown.of(2));
    assertThat(Slowdown.of(5000).times(Slowdown.of(5000))).isEqualTo(Slowdown.of(1e6));
  }

  @Test
  void areOrderedBySpeed() {
    assertThat(Slowdown.of(2)).isGreaterThan(Slowdown.of(1.5)).isLessThan(Slowdown.of(2.000001));
  }

  private static long anyPartsPerMillion(Random random) {
    return MILLION + random.nextLong(MILLION * MILLION - MILLION + 1) / (1L << random.nextInt(40));
  }

  private static long exactTime(Slowdown slowdown, long work) {
    BigInteger million = BigInteger.valueOf(MILLION);
    BigInteger parts =
        BigInteger.valueOf(work).multiply(BigInteger.valueOf(slowdown.partsPerMillion()));
    return parts.add(million).subtract(BigInteger.ONE).divide(million).longValueExact();
  }
}
