package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  private static final int HISTORIES = 240;
  private static final String DIGEST =
      "efa2d1308317458b0251a9ccd7083c20c486fb921afff38ce56662fb284ea191";

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(HISTORIES, line -> {})).isEqualTo(DIGEST);
  }
}
