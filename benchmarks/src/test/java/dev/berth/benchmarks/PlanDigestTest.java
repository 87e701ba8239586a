package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A change of any plan changes the digest, which then must be updated here, in view of all. */
class PlanDigestTest {

  private static final int HISTORIES = 240;
  private static final String DIGEST =
      "623691a13533a8be94a49b963fd1f0b85dad2128a958f6297bd867e77359d7bd";

  @Test
  void plansAreThoseOfTheRecordedDigest() {
    assertThat(PlanDigest.of(HISTORIES, line -> {})).isEqualTo(DIGEST);
  }
}
