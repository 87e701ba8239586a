package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  private static final int HISTORIES = 240;
  private static final String DIGEST =
      "88444ec662c134e00b549329e17053dcf55e9240f005097ab0864516a685259e";

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(HISTORIES, line -> {})).isEqualTo(DIGEST);
  }
}
