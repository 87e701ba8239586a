package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(80, line -> {}))
        .isEqualTo("eae45aa78984fb4f08ff0710cb22775b8dcab44790061131f6431ef8b960a284");
  }

  @Test
  @Tag("long")
  void plansOfManyHistoriesMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(240, line -> {}))
        .isEqualTo("ae2f6712184bc01f05c75be39b9cba1fbaf5ec5853222316b5fe7571c1b62ce4");
  }
}
