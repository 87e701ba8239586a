package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
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
  void groupsAreKeptAndChecked() {
    Arrival.InGroup group = new Arrival.InGroup("g", OptionalInt.of(2), GroupSpec.OnLoss.RELEASE);
    Arrival grouped =
        new Arrival(5, REQUEST, 7, FULL.behaviour(), Optional.empty(), Optional.of(group));

    assertThat(grouped.withRequest(REQUEST)).isEqualTo(grouped);
    assertThat(grouped)
        .hasToString(
            "Arrival[at=5, request=%s, serviceTime=7, behaviour=%s, group=g]"
                .formatted(REQUEST, FULL.behaviour()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Arrival(5, REQUEST, 7, FULL.behaviour(), FULL.bag(), Optional.of(group)))
        .withMessageContaining("belongs to bag bag and to group g");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Arrival.InGroup("g", OptionalInt.of(0), GroupSpec.OnLoss.RESTORE))
        .withMessage("group g: minCount was 0, must be positive.");
  }

  @Test
  void copyWithAnotherRequestKeepsAllElse() {
    Request other = Request.builder("b", "bronze").demand(Cases.cores(2)).build();

    assertThat(FULL.withRequest(other))
        .isEqualTo(new Arrival(5, other, 7, FULL.behaviour(), FULL.bag()));
  }
}
