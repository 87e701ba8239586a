package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.execution.Overheads;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OverheadsTest {

  private static final Duration COLD = Duration.ofSeconds(5);
  private static final Duration HOT = Duration.ofSeconds(1);

  @Test
  void coldAndHotPlacementsDrawFromTheirOwnValues() {
    Overheads overheads = new Overheads(List.of(COLD), List.of(HOT));

    assertThat(overheads.draw(1, "r", 1, false, 0)).isEqualTo(COLD.toNanos());
    assertThat(overheads.draw(1, "r", 1, true, 0)).isEqualTo(HOT.toNanos());
  }

  @Test
  void drawDependsOnlyOnSeedRequestAndPlacement() {
    Overheads overheads =
        Overheads.of(IntStream.range(0, 1000).mapToObj(Duration::ofMillis).toList());
    long draw = overheads.draw(1, "r", 1, true, 0);

    assertThat(overheads.draw(1, "r", 1, true, 0)).isEqualTo(draw);
    assertThat(overheads.draw(1, "r", 1, false, 0)).isEqualTo(draw);
    assertThat(overheads.draw(2, "r", 1, true, 0)).isNotEqualTo(draw);
    assertThat(overheads.draw(1, "s", 1, true, 0)).isNotEqualTo(draw);
    assertThat(overheads.draw(1, "r", 2, true, 0)).isNotEqualTo(draw);
  }

  @Test
  void drawsAllValuesEquallyOften() {
    Overheads overheads = Overheads.of(List.of(Duration.ZERO, HOT, COLD));

    long cold =
        IntStream.rangeClosed(1, 30_000)
            .filter(placement -> overheads.draw(7, "r", placement, false, 0) == COLD.toNanos())
            .count();
    assertThat(cold).isCloseTo(10_000, within(400L)); // five standard deviations
  }

  @Test
  void meanCoversColdAndHotEqually() {
    assertThat(new Overheads(List.of(COLD), List.of(HOT, HOT, HOT)).mean())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(Overheads.of(List.of(Duration.ofNanos(1), Duration.ofNanos(2))).mean())
        .isEqualTo(Duration.ofNanos(2));
    assertThat(Overheads.none().mean()).isZero();
    assertThat(new Overheads(List.of(COLD, HOT), List.of(HOT)).meanCold())
        .isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void refusesInvalidValues() {
    assertThatThrownBy(() -> Overheads.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cold overheads were empty. Maybe Overheads.none() was meant.");
    assertThatThrownBy(() -> new Overheads(List.of(HOT), List.of(Duration.ofSeconds(-1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hot overhead was PT-1S, must not be negative.");
  }
}
