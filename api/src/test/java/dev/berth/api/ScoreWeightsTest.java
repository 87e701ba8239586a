package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.AllocationScoresTest.FakeFit;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.ScoreWeights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScoreWeightsTest {

  /** Least requested: 0.75, balanced: 0.5. */
  private static final FakeFit FIT = FakeFit.of(4, 2, 8, 0);

  @Test
  void scoresByTheWeightedMean() {
    assertThat(ScoreWeights.EQUAL.score().score(FIT)).isEqualTo(0.625);
    assertThat(new ScoreWeights(3, 1).score().score(FIT)).isEqualTo(0.6875);
    assertThat(new ScoreWeights(1, 0).score().score(FIT)).isEqualTo(0.75);
    assertThat(new ScoreWeights(0, 1).score().score(FIT)).isEqualTo(0.5);
  }

  @Test
  void scoreDependsOnResourcesOnly() {
    assertThat(ScoreWeights.EQUAL.score()).isInstanceOf(ResourceScore.class);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.001, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NaN})
  void requiresFiniteNonNegativeWeights(double weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ScoreWeights(weight, 1))
        .withMessage("leastRequested must be 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ScoreWeights(1, weight))
        .withMessage("balancedAllocation must be 0 or more");
  }

  @Test
  void requiresAPositiveWeight() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ScoreWeights(0, 0))
        .withMessage("leastRequested and balancedAllocation must not both be 0");
  }
}
