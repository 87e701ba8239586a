package dev.berth.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import org.junit.jupiter.api.Test;

class CellTest {

  @Test
  void isReadFromItsArguments() {
    Cell cell = new Cell("log.swf", "2x8", "first-fit", "{}", "30s");

    assertThat(Cell.of(cell.arguments().toArray(String[]::new))).isEqualTo(cell);
  }

  @Test
  void makesHostsOfGivenCores() {
    assertThat(new Cell("log.swf", "2x8", "first-fit", "{}", "").infrastructure().hosts())
        .hasSize(2)
        .allSatisfy(
            host ->
                assertThat(host.capacity().amount(Dimension.CPU))
                    .isEqualTo(8 * Dimension.CPU.unitsPerWhole()));
  }
}
