package dev.berth.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import org.junit.jupiter.api.Test;

class QueueMeasurementTest {

  @Test
  void isReadFromItsArguments() {
    QueueMeasurement cell = new QueueMeasurement("log.swf", "2x8", "first-fit", "{}", "30s");

    assertThat(QueueMeasurement.of(cell.arguments().toArray(String[]::new))).isEqualTo(cell);
  }

  @Test
  void makesHostsOfGivenCores() {
    assertThat(
            new QueueMeasurement("log.swf", "2x8", "first-fit", "{}", "").infrastructure().hosts())
        .hasSize(2)
        .allSatisfy(
            host ->
                assertThat(host.capacity().amount(Dimension.CPU))
                    .isEqualTo(8 * Dimension.CPU.unitsPerWhole()));
  }
}
