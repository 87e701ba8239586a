package dev.berth.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Slo;
import dev.berth.testkit.generators.ClusterArbitraries;
import dev.berth.testkit.reference.Metrics.Run;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Compares the formulas of the reference model with the examples of the papers. */
class MetricsTest {

  private static final Slo NINETY_PERCENT = Slo.of(0.9);

  /**
   * Section 3.2: j arrived an hour ago and was in service for 58 min; k arrived 10 min ago and was
   * always in service.
   */
  @Test
  void longerServiceAllowsLongerWaiting() {
    assertThat(Metrics.availability(minutes(58), minutes(2)).orElseThrow())
        .isCloseTo(0.966, within(0.001));
    assertThat(qos(minutes(58), minutes(2))).isCloseTo(4.4, within(0.05));

    assertThat(Metrics.availability(minutes(10), 0)).hasValue(1);
    assertThat(qos(minutes(10), 0)).isCloseTo(1.1, within(0.02));
  }

  /** The same in the earlier paper: both at 95 %, with 60 and 10 min of service. */
  @Test
  void equalAvailabilityIsNotEqualSlack() {
    long p60 = Math.round(minutes(60) / 0.95) - minutes(60);
    long p10 = Math.round(minutes(10) / 0.95) - minutes(10);
    assertThat(Metrics.availability(minutes(60), p60).orElseThrow()).isCloseTo(0.95, within(1e-9));
    assertThat(qos(minutes(60), p60)).isCloseTo(3.5, within(0.05));
    assertThat(qos(minutes(10), p10) * 60).isCloseTo(35, within(0.5)); // seconds
  }

  /** Section 3.4: at the instant of its admission a request has Q = 0. */
  @Test
  void isZeroAtAdmission() {
    assertThat(Metrics.qos(Metrics.earned(List.of(), NINETY_PERCENT), 0, 0, 0)).isZero();
    assertThat(Metrics.availability(0, 0)).isEmpty();
  }

  /** Eqs. 2 and 5: Q is zero at the waiting time p for which σ = e / (e + p). */
  @Test
  void isZeroExactlyAtTheObjective() {
    long e = minutes(9);
    long earned = Metrics.earned(List.of(new Run(0, e)), NINETY_PERCENT);
    assertThat(Metrics.qos(earned, e, minutes(1), 0)).isZero();
    assertThat(Metrics.qos(earned, e, minutes(1) - 1, 0)).isEqualTo(1); // time to violate
    assertThat(Metrics.qos(earned, e, minutes(1) + 1, 0)).isEqualTo(-1); // recoverability
    assertThat(Metrics.qos(earned, e, minutes(1), 7)).isEqualTo(-7); // Eqs. 4 and 7
  }

  /** Eq. 8. */
  @Test
  void overheadIsTheShareLostToRestarts() {
    assertThat(Metrics.preemptionOverhead(0, 0)).isZero();
    assertThat(Metrics.preemptionOverhead(0, minutes(5))).isZero();
    assertThat(Metrics.preemptionOverhead(minutes(1), minutes(9))).isEqualTo(0.1);
    assertThat(Metrics.preemptionOverhead(minutes(1), 0)).isEqualTo(1);
  }

  /** The meter errs by less than a nanosecond in each run, whatever the times of the runs. */
  @Property
  void earnsServiceTimeOverTheObjective(
      @ForAll("slos") double slo,
      @ForAll @Size(min = 1, max = 5) List<@LongRange(max = 1L << 40) Long> lengths,
      @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long epoch) {
    List<Run> runs = new ArrayList<>();
    long from = epoch;
    for (long length : lengths) {
      runs.add(new Run(from, from + length));
      from += length + 1_000;
    }
    BigDecimal exact =
        BigDecimal.valueOf(Metrics.serviceTime(runs))
            .multiply(BigDecimal.valueOf(1_000_000_000))
            .divide(BigDecimal.valueOf(Slo.of(slo).partsPerBillion()), MathContext.DECIMAL128);
    assertThat(BigDecimal.valueOf(Metrics.earned(runs, Slo.of(slo))))
        .isCloseTo(exact, within(BigDecimal.valueOf(runs.size())));
  }

  @Provide
  Arbitrary<Double> slos() {
    return ClusterArbitraries.slos();
  }

  /** Q in minutes, for 90 % and without overhead. */
  private static double qos(long e, long p) {
    long earned = Metrics.earned(List.of(new Run(0, e)), NINETY_PERCENT);
    return Metrics.qos(earned, e, p, 0) / (double) minutes(1);
  }

  private static long minutes(int count) {
    return Duration.ofMinutes(count).toNanos();
  }
}
