package dev.berth.core;

import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans depend on the input and the seed only. */
class DeterminismTest {

  @Test
  void sameInputAndSeedGiveSamePlans() {
    assertThat(plansOf(42)).isEqualTo(plansOf(42));
  }

  @Test
  void otherSeedGivesOtherPlans() {
    assertThat(plansOf(42)).isNotEqualTo(plansOf(43));
  }

  private List<Plan> plansOf(long seed) {
    Cluster cluster =
        Cluster.of(
            Scheduler.builder().seed(seed),
            parts -> parts.preemption(latestFirst(), LESS_IMPORTANT));
    List<Plan> plans = new ArrayList<>();
    IntStream.range(0, 10).forEach(i -> cluster.host("h" + i, 2));
    IntStream.range(0, 30)
        .forEach(
            i -> {
              cluster.at(i).pending("i" + i, List.of("bronze", "silver", "gold").get(i % 3), 1);
              Plan plan = cluster.pass();
              plan.placements().forEach(place -> cluster.started(place.instance()));
              plans.add(plan);
            });
    return plans;
  }
}
