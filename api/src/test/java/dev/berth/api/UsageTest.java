package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {

  @Test
  void needIsUsePlusShortfall() {
    Usage usage =
        new Usage(
            7,
            Resources.of(Dimension.CPU, 2, Dimension.MEMORY, 3),
            Resources.of(Dimension.MEMORY, 4));
    assertThat(usage.need(Dimension.CPU)).isEqualTo(2);
    assertThat(usage.need(Dimension.MEMORY)).isEqualTo(7);
    assertThat(usage.need(new Dimension("disk", 1))).isZero();
  }

  @Test
  void saturatesNeedOutOfRange() {
    Usage usage =
        new Usage(
            0,
            Resources.of(Dimension.CPU, Long.MAX_VALUE, Dimension.MEMORY, Long.MAX_VALUE),
            Resources.of(Dimension.CPU, 1, Dimension.MEMORY, Long.MAX_VALUE));
    assertThat(usage.need(Dimension.CPU)).isEqualTo(Long.MAX_VALUE);
    assertThat(usage.need(Dimension.MEMORY)).isEqualTo(Long.MAX_VALUE);
  }
}
