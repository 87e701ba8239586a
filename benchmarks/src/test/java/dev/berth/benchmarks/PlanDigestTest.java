package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(80, line -> {}))
        .isEqualTo("9d48e419cc5e5ac745cdb30976feb120c48b5389937ae2aa49c3a9088f7db6d5");
  }

  @Test
  @Tag("long")
  void plansOfManyHistoriesMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(240, line -> {}))
        .isEqualTo("2c50bf57eedbc8873555f3c484eda21261be03ec33b2490db05a1d093b07a2bf");
  }
}
