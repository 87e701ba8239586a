package dev.berth.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Fails if any plan changes. Update the digest only with a change that means to change plans. */
class PlanDigestTest {

  private static final int HISTORIES = 240;
  private static final String DIGEST =
      "c2a7fca006f58cd6833d7f060dc831696c0ce1fd1e1d08fe5be105b5d32bb0ed";

  @Test
  void plansMatchTheRecordedDigest() {
    assertThat(PlanDigest.of(HISTORIES, line -> {})).isEqualTo(DIGEST);
  }
}
