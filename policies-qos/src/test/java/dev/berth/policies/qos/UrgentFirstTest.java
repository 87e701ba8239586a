package dev.berth.policies.qos;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;

import dev.berth.api.Resources;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The order {@code urgent-first} beside {@code by-metric}. Margins are 10 s.
 *
 * <p>The bronze request has waited for 30 s (Q = −30 s) and the silver one has an hour of service
 * (Q = 400 s after an hour, less its wait).
 */
class UrgentFirstTest {

  private static final Resources SLOT = Resources.of(CPU, 1_000_000_000);

  @ParameterizedTest
  @CsvSource({
    "by-metric, 389, b, s",
    "by-metric, 395, b, s",
    "urgent-first, 389, b, s", // Q of silver is 11 s
    "urgent-first, 391, s, b", // 9 s
  })
  void silverOvertakesBronzeOnceItIsWithinItsMargin(
      String queue, long waits, String first, String second) {
    TestCluster cluster =
        TestCluster.withPolicy("qos-driven", "{\"queue\": \"%s\"}".formatted(queue))
            .host("old", SLOT)
            .running("s", "silver", SLOT, "old")
            .at(Duration.ofHours(1))
            .removeHost("old")
            .at(Duration.ofHours(1).plusSeconds(waits - 30))
            .pending("b", "bronze", SLOT)
            .at(Duration.ofHours(1).plusSeconds(waits))
            .host("new", Resources.of(CPU, 2_000_000_000));

    assertThat(cluster.pass()).placesExactly(first, second);
  }
}
