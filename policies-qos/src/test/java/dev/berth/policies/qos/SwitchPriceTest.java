package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SwitchPriceTest {

  private static final ServiceClass SILVER =
      ServiceClass.builder("silver").slo(0.75).importance(1).build();
  private static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  private static SwitchPrice price(Duration overhead, QosUnit unit) {
    return new SwitchPrice(
        new QosHysteresisConfig(
            0.25, overhead, Overload.EQUAL, Duration.ofSeconds(1), ScoreWeights.EQUAL),
        List.of(SILVER, BRONZE),
        unit);
  }

  @Test
  void dependsOnTheObjective() {
    SwitchPrice price = price(Duration.ofNanos(1_000), QosUnit.NANOSECOND);

    assertThat(price.of(StubInstance.pending(SILVER))).isEqualTo(1_000);
    assertThat(price.of(StubInstance.pending(BRONZE))).isEqualTo(2_000);
    assertThat(price.least(0)).isEqualTo(1_000);
    assertThat(price.least(1)).isEqualTo(2_000);
  }

  @Test
  void isInTheUnitOfTheMetric() {
    SwitchPrice price = price(Duration.ofNanos(1_001), new QosUnit(3));

    assertThat(price.of(StubInstance.pending(BRONZE))).isEqualTo(2_002 / 8);
  }

  @Test
  void hasALimit() {
    SwitchPrice price = price(Duration.ofDays(36_500), QosUnit.NANOSECOND);

    assertThat(price.of(StubInstance.pending(BRONZE))).isEqualTo(Duration.ofDays(730).toNanos());
  }

  /** The latest of the preemptions of a pending instance has not led to a restart. */
  @Test
  void isLearntFromTheRestartsOfAnInstance() {
    SwitchPrice price = price(Duration.ZERO, QosUnit.NANOSECOND);

    assertThat(price.of(StubInstance.pending(BRONZE))).isZero();
    assertThat(price.of(StubInstance.pending(BRONZE).restarted(1, 0))).isZero();
    assertThat(price.of(StubInstance.pending(BRONZE).restarted(3, 800))).isEqualTo(800);
    assertThat(price.least(1)).isZero();
  }
}
