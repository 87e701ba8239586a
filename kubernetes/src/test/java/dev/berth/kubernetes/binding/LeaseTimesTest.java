package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The times of a {@link LeaderLease}. */
class LeaseTimesTest {

  @Test
  void timesThatCannotFenceAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new LeaderLease.Times(second, second, second, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("renew was PT1S, must be positive and less than lease");
  }
}
