package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  private static final int HISTORIES = 240;
  private static final String DIGEST =
      "6bf3b03807ed58dcb31f21a4de0f780b4a3081eabdee376aac37efbcd14967fd";

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(HISTORIES, line -> {})).isEqualTo(DIGEST);
  }
}
