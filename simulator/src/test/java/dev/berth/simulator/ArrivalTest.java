package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArrivalTest {

  private static final Request REQUEST =
      Request.builder("a", "gold").demand(Cases.cores(1)).build();
  private static final Arrival FULL =
      new Arrival(
          5,
          REQUEST,
          7,
          new ActualBehaviour(Optional.of(MemoryProfile.constant(3)), Optional.empty()),
          Optional.of(new Arrival.InBag("bag", Optional.of(Duration.ofHours(1)))));

  @Test
  void copyWithAnotherRequestKeepsAllElse() {
    Request other = Request.builder("b", "bronze").demand(Cases.cores(2)).build();

    assertThat(FULL.withRequest(other))
        .isEqualTo(new Arrival(5, other, 7, FULL.behaviour(), FULL.bag()));
  }
}
