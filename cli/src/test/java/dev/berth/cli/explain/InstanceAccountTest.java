package dev.berth.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceAccountTest {

  /** QoS-driven scheduling, section 3.2, and the example of its earlier form. */
  @ParameterizedTest(name = "SLO {0}, in service {1}, not in service {2}")
  @CsvSource({
    "0.9, PT58M, PT2M, PT4M26.666666666S",
    "0.9, PT10M, PT0S, PT1M6.666666666S",
    "0.5, PT1H, PT0S, PT1H",
    "0.9, PT9M, PT1M, PT0S",
    "1, PT1H, PT0S, PT0S"
  })
  void spareIsWaitingTimeUntilSloIsMissed(
      double slo, Duration service, Duration waiting, Duration spare) {
    InstanceAccount got = accounting(slo, service, waiting);
    assertThat(got.spare()).hasValue(spare.toNanos());
    assertThat(got.catchUp()).isEmpty();
  }

  @ParameterizedTest(name = "SLO {0}, in service {1}, not in service {2}")
  @CsvSource({
    "0.5, PT1M, PT2M, PT1M",
    "0.9, PT8M, PT2M, PT10M",
    "0.9, PT0S, PT1S, PT9S",
    "0.9, PT8M59.999999999S, PT1M, PT0.000000001S"
  })
  void catchUpIsServiceTimeUntilSloIsMet(
      double slo, Duration service, Duration waiting, Duration catchUp) {
    InstanceAccount got = accounting(slo, service, waiting);
    assertThat(got.spare()).isEmpty();
    assertThat(got.catchUp()).hasValue(catchUp.toNanos());
    assertThat(accounting(slo, service.plus(catchUp), waiting).spare()).isPresent();
    assertThat(accounting(slo, service.plus(catchUp).minusNanos(1), waiting).spare()).isEmpty();
  }

  @Test
  void missedSloOfOneHasNoCatchUp() {
    InstanceAccount got = accounting(1, Duration.ofHours(1), Duration.ofNanos(1));
    assertThat(got.spare()).isEmpty();
    assertThat(got.catchUp()).isEmpty();
  }

  @Test
  void availabilityIsUndefinedOnAdmission() {
    InstanceAccount got = accounting(0.9, Duration.ZERO, Duration.ZERO);
    assertThat(got.availability()).isEmpty();
    assertThat(got.spare()).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void handlesCentury() {
    Duration century = Duration.ofDays(36_500);
    assertThat(accounting(0.001, century, Duration.ZERO).availability()).hasValue(1);
    assertThat(accounting(0.9, Duration.ZERO, century).catchUp()).isPresent();
  }

  private static InstanceAccount accounting(double slo, Duration service, Duration waiting) {
    return new InstanceAccount(
        "r1",
        ServiceClass.builder("some").slo(slo).build(),
        Optional.empty(),
        InstanceState.RUNNING,
        Optional.of("h1"),
        0,
        0,
        service.toNanos(),
        waiting.toNanos(),
        1,
        0,
        0,
        0);
  }
}
