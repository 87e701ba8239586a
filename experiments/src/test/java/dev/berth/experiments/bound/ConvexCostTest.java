package dev.berth.experiments.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.PenaltyTable.Tier;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ConvexCostTest {

  private static final ServiceClass HALF = ServiceClass.builder("half").slo(0.5).build();

  /** The bonus is 10 between deficits of .01 and .02, and little more beyond. */
  @Test
  void omitsBorderAboveTheLineBetweenItsNeighbours() {
    PenaltyTable penalties =
        new PenaltyTable(
            Map.of("half", List.of(new Tier(0.48, 10.1), new Tier(0.49, 10), new Tier(0.5, 0))));

    ConvexCost cost = ConvexCost.ofPenalty(penalties, HALF, 0, 0.03, 2);

    assertThat(cost.least()).isZero();
    assertThat(cost.pieces()).isEqualTo(2);
    assertThat(cost.from(1)).isEqualTo(0.01, within(1e-12));
    assertThat(cost.slope(0)).isEqualTo(2, within(1e-6));
    assertThat(cost.slope(1)).isEqualTo(2 * (0.03 * 11.1 - 0.01) / 0.02, within(1e-4));
  }

  @Test
  void deficitItselfIsOnePiece() {
    ConvexCost cost = ConvexCost.identity(0.25, 0.75);

    assertThat(cost.least()).isEqualTo(0.25);
    assertThat(cost.pieces()).isOne();
    assertThat(cost.slope(0)).isOne();
  }

  @Property
  void isConvexAndNeverAboveThePenalty(
      @ForAll @Size(3) List<@DoubleRange(min = 0, max = 3) Double> bonuses,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double most,
      @ForAll @DoubleRange(min = 0, max = 1) double at) {
    PenaltyTable penalties =
        new PenaltyTable(
            Map.of(
                "half",
                List.of(
                    new Tier(0.3, bonuses.get(0)),
                    new Tier(0.45, bonuses.get(1)),
                    new Tier(0.5, bonuses.get(2)))));
    ConvexCost cost = ConvexCost.ofPenalty(penalties, HALF, 0, most, 1);
    double deficit = at * most;

    double value = cost.least();
    for (int i = 0; i < cost.pieces(); i++) {
      double width = Math.min(deficit, cost.from(i + 1)) - cost.from(i);
      value += Math.max(0, width) * cost.slope(i);
      assertThat(cost.slope(i)).isGreaterThanOrEqualTo(i == 0 ? 0 : cost.slope(i - 1) - 1e-9);
    }
    assertThat(value).isLessThanOrEqualTo(penalties.penalty(HALF, 0.5 - deficit, 1, 1) + 1e-9);
  }
}
