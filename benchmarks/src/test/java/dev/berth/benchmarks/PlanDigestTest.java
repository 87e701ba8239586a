package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(80, line -> {}))
        .isEqualTo("3cbbf61db62104f09e788eb6700de6baa90b79c5f9c8853e8403b0e2232d8093");
  }

  @Test
  @Tag("long")
  void plansOfManyHistoriesMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(240, line -> {}))
        .isEqualTo("88444ec662c134e00b549329e17053dcf55e9240f005097ab0864516a685259e");
  }
}
