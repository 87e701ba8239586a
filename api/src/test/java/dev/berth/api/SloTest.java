package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SloTest {

  private static final long MINUTE = 60_000_000_000L;
  private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

  /** From -50 to 50 years: no life span overflows, even at the smallest objective. */
  private static final long FAR = 9_000_000_000_000_000L;

  @ParameterizedTest
  @CsvSource({"1, 1000000000", "0.9, 900000000", "0.999, 999000000", "0.001, 1000000"})
  void storesTheShareInBillionths(double share, long partsPerBillion) {
    assertThat(Slo.of(share)).isEqualTo(new Slo(partsPerBillion));
    assertThat(Slo.of(share).share()).isEqualTo(share);
  }

  @Test
  void roundsTheShareToBillionths() {
    assertThat(Slo.of(2.0 / 3)).isEqualTo(new Slo(666_666_667));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.5,
        0.000999,
        1.000000001,
        1000,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN
      })
  void sharesOutsideTheRangeAreRefused(double share) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Slo.of(share))
        .withMessageContaining("must be in [0.001, 1].");
  }

  @ParameterizedTest
  @CsvSource({"99, 0.99", "99.9, 0.999", "100, 1.0", "50, 0.5"})
  void refusesAPercentageAndSuggestsTheShare(double percentage, String share) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Slo.of(percentage))
        .withMessage(
            "slo was %s, must be in [0.001, 1]. Maybe you meant %s (a share, not a percentage).",
            percentage, share);
  }

  @Test
  void suggestsNoShareForOtherNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Slo.of(250))
        .withMessage("slo was 250.0, must be in [0.001, 1].");
  }

  @Test
  void ordersByShareAndPrintsDecimals() {
    assertThat(Slo.of(0.5)).isLessThan(Slo.of(0.9));
    assertThat(Slo.of(0.9)).hasToString("0.9");
    assertThat(Slo.of(0.001)).hasToString("0.001");
  }

  @ParameterizedTest
  @CsvSource({
    // QoS-driven scheduling, section 3.2: 58 min of service justify 64.4 min of life at 90 %.
    "0.9, 3480000000000, 3866666666666",
    "0.9, 9, 10",
    "0.9, 1, 1",
    "0.9, 0, 0",
    "0.9, -1, -2",
    "0.5, 7, 14",
    "0.75, 1, 1",
    "0.75, 2, 2",
    "0.75, 3, 4",
    "0.001, 1, 1000"
  })
  void aLifeSpanIsServiceTimeOverShareRoundedDown(double share, long serviceTime, long lifeSpan) {
    assertThat(Slo.of(share).lifeSpan(serviceTime)).isEqualTo(lifeSpan);
  }

  @Test
  void matchesTheWorkedExampleOfThePaper() {
    Slo slo = Slo.of(0.9);

    // 58 min served, 2 min waited: 4.4 min to violate; 10 min served: 1.1 min; seed 000's 10 min.
    assertThat(slo.lifeSpan(58 * MINUTE) - 60 * MINUTE).isEqualTo(266_666_666_666L);
    assertThat(slo.lifeSpan(10 * MINUTE) - 10 * MINUTE).isEqualTo(66_666_666_666L);
  }

  @Property
  void fullAvailabilityMakesLifeSpanTheServiceTime(@ForAll long serviceTime) {
    assertThat(Slo.of(1).lifeSpan(serviceTime)).isEqualTo(serviceTime);
  }

  @Property
  void lifeSpanIsTheExactQuotientRoundedDown(
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts,
      @ForAll @LongRange(min = -FAR, max = FAR) long serviceTime) {
    BigInteger[] exact =
        BigInteger.valueOf(serviceTime).multiply(BILLION).divideAndRemainder(big(parts));
    BigInteger floor = exact[1].signum() < 0 ? exact[0].subtract(BigInteger.ONE) : exact[0];

    assertThat(new Slo(parts).lifeSpan(serviceTime)).isEqualTo(floor.longValueExact());
  }

  @Property
  void lifeSpanFarFromZeroIsTheQuotientModulo64Bits(
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts,
      @ForAll long serviceTime) {
    BigInteger product = BigInteger.valueOf(serviceTime).multiply(BILLION);
    BigInteger floor = product.subtract(product.mod(big(parts))).divide(big(parts));

    assertThat(new Slo(parts).lifeSpan(serviceTime)).isEqualTo(floor.longValue());
  }

  @Property
  void lifeSpanIsMonotoneInServiceTime(
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts,
      @ForAll @LongRange(min = -FAR / 2, max = FAR / 2) long serviceTime,
      @ForAll @LongRange(min = 0, max = FAR / 2) long more) {
    Slo slo = new Slo(parts);

    assertThat(slo.lifeSpan(serviceTime + more) - slo.lifeSpan(serviceTime))
        .isGreaterThanOrEqualTo(more);
  }

  @Property
  void splittingServiceLosesLessThanTwoNanoseconds(
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts,
      @ForAll @LongRange(min = -FAR / 2, max = FAR / 2) long first,
      @ForAll @LongRange(min = -FAR / 2, max = FAR / 2) long second) {
    Slo slo = new Slo(parts);

    assertThat(slo.lifeSpan(first + second) - slo.lifeSpan(first) - slo.lifeSpan(second))
        .isBetween(0L, 1L);
  }

  @Property
  void isExactWhereItWrapsAround(
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts,
      @ForAll long from,
      @ForAll @LongRange(min = 0, max = FAR) long service) {
    Slo slo = new Slo(parts);
    long to = from > Long.MAX_VALUE - service ? from : from + service;

    // Rounding down at both ends errs by less than a nanosecond in total.
    assertThat(slo.lifeSpan(to) - slo.lifeSpan(from) - slo.lifeSpan(to - from)).isBetween(0L, 1L);
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  @Property
  void comparesTheObjectiveExactly(
      @ForAll @LongRange(min = 0) long one,
      @ForAll @LongRange(min = 0) long other,
      @ForAll @LongRange(min = Slo.MIN_PARTS_PER_BILLION, max = 1_000_000_000) long parts) {
    long service = Math.min(one, other);
    long life = Math.max(one, other);
    BigInteger earned = BigInteger.valueOf(service).multiply(BigInteger.valueOf(1_000_000_000));
    BigInteger promised = BigInteger.valueOf(life).multiply(BigInteger.valueOf(parts));

    assertThat(new Slo(parts).isMetBy(service, life)).isEqualTo(earned.compareTo(promised) >= 0);
  }
}
