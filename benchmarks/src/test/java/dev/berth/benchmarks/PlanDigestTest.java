package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  private static final int HISTORIES = 240;
  private static final String DIGEST =
      "fd9bb961e50100e6f8f35fc93d587707ed5562a0d650292dc810ddd3323c2ae8";

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(HISTORIES, line -> {})).isEqualTo(DIGEST);
  }
}
