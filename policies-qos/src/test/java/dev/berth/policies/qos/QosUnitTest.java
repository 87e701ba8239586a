package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.TimeLimits;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QosUnitTest {

  @ParameterizedTest(name = "objectives 1 and {0}, {1} days of overhead: 2^{2} ns")
  @CsvSource({
    "1, 0, 0",
    "0.5, 0, 0",
    "0.439, 0, 0",
    "0.438, 0, 1",
    "0.4385, 0, 0",
    "0.4385, 100, 1",
    "0.1, 0, 3",
    "0.001, 0, 10",
    "1, 10000, 0",
    "1, 11000, 1",
    "1, 36500, 1",
  })
  void theLowestObjectiveFixesTheUnit(double slo, int overheadDays, int bits) {
    List<ServiceClass> classes =
        List.of(
            ServiceClass.builder("gold").build(), ServiceClass.builder("least").slo(slo).build());

    assertThat(QosUnit.of(classes, Duration.ofDays(overheadDays)).bits()).isEqualTo(bits);
  }

  @ParameterizedTest
  @CsvSource({"10, 10000000000, 9765625", "3, 17, 2", "0, 17, 17", "4, 15, 0"})
  void timesAreRoundedDownToTheUnit(int bits, long nanos, long units) {
    assertThat(new QosUnit(bits).of(Duration.ofNanos(nanos))).isEqualTo(units);
  }

  @Property
  void wideNumbersDoNotWrap(
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts,
      @ForAll @LongRange(min = TimeLimits.EARLIEST, max = TimeLimits.LATEST) long a,
      @ForAll @LongRange(min = TimeLimits.EARLIEST, max = TimeLimits.LATEST) long b,
      @ForAll long c,
      @ForAll @IntRange(max = 20) int bits) {
    Slo slo = new Slo(parts);
    Wide sum = Wide.lifeSpan(slo, a).minus(Wide.lifeSpan(slo, b)).plus(c).minus(b);
    BigInteger exact =
        lifeSpan(slo, a).subtract(lifeSpan(slo, b)).add(number(c)).subtract(number(b));

    assertThat(sum.shiftedRight(bits)).isEqualTo(exact.shiftRight(bits).longValue());
  }

  private static BigInteger lifeSpan(Slo slo, long time) {
    BigInteger parts = number(slo.partsPerBillion());
    BigInteger billions = number(time).multiply(number(1_000_000_000));
    return billions.subtract(billions.mod(parts)).divide(parts);
  }

  private static BigInteger number(long number) {
    return BigInteger.valueOf(number);
  }

  @Test
  void convertsBothWays() {
    assertThat(new QosUnit(3).nanos()).isEqualTo(8);
    assertThat(new QosUnit(3).ofNanos(17)).isEqualTo(2);
    assertThat(QosUnit.NANOSECOND.ofNanos(17)).isEqualTo(17);
  }
}
