package dev.berth.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.04S, 0s",
    "PT0.05S, 100ms",
    "PT1S, 1s",
    "PT2.34S, 2.3s",
    "PT10S, 10s",
    "PT59.96S, 1m",
    "PT20M10S, 20m10s",
    "PT1H, 1h",
    "PT1H0.5S, 1h0m0.5s",
    "P2DT3H4M5S, 2d3h4m5s"
  })
  void formatsToTenthOfSecond(Duration duration, String text) {
    assertThat(TimeText.of(duration.toNanos())).isEqualTo(text);
  }
}
