package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceClassTest {

  @Test
  void defaultsFollowThePaper() {
    ServiceClass gold = ServiceClass.builder("gold").build();

    assertThat(gold.name()).isEqualTo("gold");
    assertThat(gold.slo()).isEqualTo(Slo.of(1));
    assertThat(gold.importance()).isEqualTo(1);
    assertThat(gold.safetyMargin()).isEqualTo(Duration.ofSeconds(10));
    assertThat(gold.preemptionOverheadLimit()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0.9, 0.1", "0.5, 0.5", "0.001, 0.999"})
  void overheadLimitDefaultsToTheObjective(double slo, double limit) {
    assertThat(ServiceClass.builder("c").slo(slo).build().preemptionOverheadLimit())
        .isEqualTo(limit);
    assertThat(
            ServiceClass.builder("c")
                .preemptionOverheadLimit(0.25)
                .slo(slo)
                .build()
                .preemptionOverheadLimit())
        .isEqualTo(0.25);
  }

  @Test
  void keepsEverySetting() {
    ServiceClass bronze =
        ServiceClass.builder("bronze")
            .slo(0.5)
            .importance(3)
            .safetyMargin(Duration.ofMillis(1500))
            .preemptionOverheadLimit(1)
            .build();

    assertThat(bronze.slo()).isEqualTo(Slo.of(0.5));
    assertThat(bronze.importance()).isEqualTo(3);
    assertThat(bronze.safetyMargin()).isEqualTo(Duration.ofMillis(1500));
    assertThat(bronze.preemptionOverheadLimit()).isEqualTo(1);
  }

  @Test
  void zeroMarginIsAllowed() {
    assertThat(ServiceClass.builder("c").safetyMargin(Duration.ZERO).build().safetyMargin())
        .isZero();
  }

  @Test
  void equalSettingsMakeEqualClasses() {
    assertThat(ServiceClass.builder("c").slo(0.9).build())
        .isEqualTo(ServiceClass.builder("c").slo(0.9).build())
        .isNotEqualTo(ServiceClass.builder("c").slo(0.8).build());
  }

  @Test
  void refusesBlankAndMissingNames() {
    assertThatIllegalArgumentException().isThrownBy(() -> ServiceClass.builder(" "));
    assertThatNullPointerException().isThrownBy(() -> ServiceClass.builder(null));
  }

  @Test
  void refusesImportanceBelowOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceClass.builder("c").importance(0))
        .withMessage("service class c: importance was 0, must be at least 1 (the most important).");
  }

  @Test
  void refusesMarginOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ServiceClass.builder("c").safetyMargin(Duration.ofDays(36_500).plusNanos(1)))
        .withMessageContaining("must be from 0 to a century.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceClass.builder("c").safetyMargin(Duration.ofNanos(-1)))
        .withMessage(
            "service class c: safety margin was PT-0.000000001S, must be from 0 to a century.");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesOverheadLimitOutsideTheUnitInterval(double limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceClass.builder("c").preemptionOverheadLimit(limit))
        .withMessage(
            "service class c: preemption-overhead limit was %s, must be in [0, 1].", limit);
  }
}
