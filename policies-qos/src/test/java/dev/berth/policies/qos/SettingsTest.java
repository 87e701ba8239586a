package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranges of the settings. */
class SettingsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static QosDrivenConfig qosDriven(Duration watchdog, Duration expectedOverhead) {
    return qosDriven(watchdog, expectedOverhead, 3);
  }

  private static QosDrivenConfig qosDriven(
      Duration watchdog, Duration expectedOverhead, int maxPreemptions) {
    return new QosDrivenConfig(
        watchdog,
        expectedOverhead,
        QueueReading.URGENT_FIRST,
        ScoreWeights.EQUAL,
        PreemptionCostReading.SLACK_SUMS,
        true,
        false,
        maxPreemptions);
  }

  /** As in the JSON of a configuration. */
  @Test
  void choicesHaveNames() {
    assertThat(Overload.values())
        .extracting(Overload::toString)
        .containsExactly("equal", "fulfilment");
    assertThat(QueueReading.values())
        .extracting(QueueReading::toString)
        .containsExactly("by-metric", "urgent-first");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT-0.000000001S"})
  void requiresAPositiveWatchdog(Duration watchdog) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> qosDriven(watchdog, SECOND))
        .withMessage("watchdog must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PriorityConfig(watchdog, ScoreWeights.EQUAL, true, false))
        .withMessage("watchdog must be positive");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT2.37S", "P36500D"})
  void acceptsExpectedOverheadUpToACentury(Duration overhead) {
    assertThatNoException().isThrownBy(() -> qosDriven(SECOND, overhead));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-0.000000001S", "P36501D"})
  void refusesExpectedOverheadOutOfRange(Duration overhead) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> qosDriven(SECOND, overhead))
        .withMessage("expectedOverhead must be from 0 to 36500d");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, Integer.MAX_VALUE})
  void acceptsAnyNumberOfPreemptionsOrNoLimit(int maxPreemptions) {
    assertThatNoException().isThrownBy(() -> qosDriven(SECOND, SECOND, maxPreemptions));
  }

  @ParameterizedTest
  @ValueSource(ints = {-2, Integer.MIN_VALUE})
  void refusesANegativeNumberOfPreemptions(int maxPreemptions) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> qosDriven(SECOND, SECOND, maxPreemptions))
        .withMessage("maxPreemptions must be 0 or more, or -1 for no limit");
  }

  private static QosHysteresisConfig hysteresis(
      double restartShare, Duration expectedOverhead, Duration watchdog) {
    return new QosHysteresisConfig(
        restartShare, expectedOverhead, Overload.FULFILMENT, watchdog, ScoreWeights.EQUAL);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0001, 0.0125, 0.5})
  void acceptsRestartSharesUpToAHalf(double share) {
    assertThatNoException().isThrownBy(() -> hysteresis(share, SECOND, SECOND));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.00009, 0.51, Double.NaN, Double.POSITIVE_INFINITY, -0.01})
  void refusesRestartSharesOutOfRange(double share) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hysteresis(share, SECOND, SECOND))
        .withMessage("restartShare must be from 0.0001 to 0.5");
  }

  @Test
  void hysteresisHasTheRangesOfQosDriven() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hysteresis(0.1, Duration.ofNanos(-1), SECOND))
        .withMessage("expectedOverhead must be from 0 to 36500d");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hysteresis(0.1, Duration.ofDays(36_501), SECOND))
        .withMessage("expectedOverhead must be from 0 to 36500d");
    assertThatNoException().isThrownBy(() -> hysteresis(0.1, Duration.ofDays(36_500), SECOND));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hysteresis(0.1, SECOND, Duration.ZERO))
        .withMessage("watchdog must be positive");
    assertThat(
            new QosHysteresisFactory()
                .withWatchdog(hysteresis(0.1, SECOND, SECOND), SECOND.multipliedBy(7)))
        .isEqualTo(hysteresis(0.1, SECOND, SECOND.multipliedBy(7)));
  }

  @Test
  void anotherWatchdogLeavesOtherSettings() {
    QosDrivenConfig qos =
        new QosDrivenFactory().withWatchdog(qosDriven(SECOND, SECOND), SECOND.multipliedBy(7));
    assertThat(qos).isEqualTo(qosDriven(SECOND.multipliedBy(7), SECOND));

    PriorityConfig priority =
        new PriorityFactory().withWatchdog(new PriorityFactory().defaults(), SECOND);
    assertThat(priority).isEqualTo(new PriorityConfig(SECOND, ScoreWeights.EQUAL, true, false));
  }

  @Test
  void policiesDescribeThemselves() {
    assertThat(new QosDrivenFactory().summary()).contains("preempts", "objective");
    assertThat(new PriorityFactory().summary()).contains("preempts", "important");
    assertThat(new QosHysteresisFactory().summary()).contains("preempts", "restart");
  }
}
