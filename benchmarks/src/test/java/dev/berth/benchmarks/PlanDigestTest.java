package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(80, line -> {}))
        .isEqualTo("e0aaf55997d53a9cac1a3feff1adabf1600d41ee1b2c86eea45a0f4c4c812091");
  }

  @Test
  @Tag("long")
  void plansOfManyHistoriesMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(240, line -> {}))
        .isEqualTo("aa83736a6ac8da9bfb9548ec2ea6f8aa73e2db071def24cd5bbc12f95d92c8f9");
  }
}
