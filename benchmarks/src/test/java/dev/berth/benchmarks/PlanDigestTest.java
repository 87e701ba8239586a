package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(80, line -> {}))
        .isEqualTo("ece5289def9962feb3a1ec2cb42a2fa50e6f592959482f79aa6dcbab04c3a497");
  }

  @Test
  @Tag("long")
  void plansOfManyHistoriesMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(240, line -> {}))
        .isEqualTo("45f19e9de1bbf331307eb593b77089d8d2df5e9dc33fdf33b30e2dfbb253fb9f");
  }
}
