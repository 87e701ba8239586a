package dev.berth.api;

import static dev.berth.api.AllocationScores.balancedAllocation;
import static dev.berth.api.AllocationScores.leastRequested;
import static dev.berth.api.AllocationScores.weighted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.AllocationScores.Weighted;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationScoresTest {

  /** 3 of 4 used in one dimension, 2 of 8 in the other: shares .75 and .25. */
  private static final FakeFit UNEVEN = FakeFit.of(4, 3, 8, 2);

  @Test
  void leastRequestedIsTheMeanShareLeftFree() {
    assertThat(leastRequested().score(UNEVEN)).isEqualTo(0.5); // (.25 + .75) / 2
    assertThat(leastRequested().score(FakeFit.of(10, 1))).isEqualTo(0.9);
    assertThat(leastRequested().score(FakeFit.of(4, 4, 8, 8))).isZero();
    assertThat(leastRequested().score(FakeFit.of(4, 0, 8, 0))).isEqualTo(1);
    assertThat(leastRequested().score(FakeFit.of(4, 1, 4, 2, 4, 3))).isEqualTo(0.5);
  }

  @Test
  void balancedAllocationIsOneLessTheDistanceOfTheShares() {
    assertThat(balancedAllocation().score(UNEVEN)).isEqualTo(0.5); // 1 - (.75 - .25)
    assertThat(balancedAllocation().score(FakeFit.of(4, 2, 8, 4))).isEqualTo(1);
    assertThat(balancedAllocation().score(FakeFit.of(4, 4, 8, 0))).isZero();
    assertThat(balancedAllocation().score(FakeFit.of(10, 7))).isEqualTo(1);
    assertThat(balancedAllocation().score(FakeFit.of(4, 1, 4, 2, 4, 4))).isEqualTo(0.25);
  }

  @Test
  void dimensionsOfWhichAHostHasNothingDoNotCount() {
    assertThat(leastRequested().score(FakeFit.of(4, 3, 0, 0, 8, 2))).isEqualTo(0.5);
    assertThat(balancedAllocation().score(FakeFit.of(4, 3, 0, 0, 8, 2))).isEqualTo(0.5);
  }

  @Test
  void aHostOfNothingScoresZero() {
    assertThat(leastRequested().score(FakeFit.of())).isZero();
    assertThat(balancedAllocation().score(FakeFit.of())).isZero();
    assertThat(leastRequested().score(FakeFit.of(0, 0))).isZero();
    assertThat(balancedAllocation().score(FakeFit.of(0, 0))).isZero();
  }

  @Test
  void aWeightedScoreIsTheWeightedMean() {
    FakeFit fit = FakeFit.of(4, 1, 8, 6); // least requested: .5, balanced: .5
    AllocationScore one = any -> 1;
    AllocationScore none = any -> 0;

    assertThat(weighted(List.of(new Weighted(one, 3), new Weighted(none, 1))).score(fit))
        .isEqualTo(0.75);
    assertThat(
            weighted(List.of(new Weighted(leastRequested(), 1), new Weighted(one, 1))).score(fit))
        .isEqualTo(0.75);
  }

  @Test
  void aScoreOfWeightZeroIsNotAsked() {
    AllocationScore broken =
        fit -> {
          throw new AssertionError("asked");
        };

    assertThat(
            weighted(List.of(new Weighted(leastRequested(), 2), new Weighted(broken, 0)))
                .score(UNEVEN))
        .isEqualTo(0.5);
  }

  @Test
  void weightsThatAddUpToNothingAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> weighted(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> weighted(List.of(new Weighted(leastRequested(), 0))))
        .withMessageContaining("at least one must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                weighted(
                    List.of(
                        new Weighted(leastRequested(), Double.MAX_VALUE),
                        new Weighted(leastRequested(), Double.MAX_VALUE))));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void weightsOutOfRangeAreRefused(double weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Weighted(leastRequested(), weight))
        .withMessage("allocation score: weight was %s, must be 0 or more.", weight);
  }

  @Property
  void scoresStayInTheUnitInterval(
      @ForAll @IntRange(max = 1000) int capacity,
      @ForAll @IntRange(max = 1000) int used,
      @ForAll @IntRange(min = 1, max = 1000) int otherCapacity,
      @ForAll @IntRange(max = 1000) int otherUsed) {
    FakeFit fit =
        FakeFit.of(
            capacity, Math.min(used, capacity), otherCapacity, Math.min(otherUsed, otherCapacity));

    assertThat(leastRequested().score(fit)).isBetween(0.0, 1.0);
    assertThat(balancedAllocation().score(fit)).isBetween(0.0, 1.0);
    assertThat(
            weighted(
                    List.of(
                        new Weighted(leastRequested(), 1), new Weighted(balancedAllocation(), 1)))
                .score(fit))
        .isEqualTo(
            (leastRequested().score(fit) + balancedAllocation().score(fit)) / 2, within(1e-15));
  }

  /** Capacity and use, in turn, of each dimension. */
  private record FakeFit(List<Long> values) implements AllocationScore.Fit {
    @Override
    public long now() {
      return 0;
    }

    static FakeFit of(long... capacityAndUsed) {
      return new FakeFit(Arrays.stream(capacityAndUsed).boxed().toList());
    }

    @Override
    public int dimensions() {
      return values.size() / 2;
    }

    @Override
    public long capacity(int dimension) {
      return values.get(2 * dimension);
    }

    @Override
    public long used(int dimension) {
      return values.get(2 * dimension + 1);
    }

    @Override
    public Dimension dimension(int number) {
      return new Dimension("d" + number, 1);
    }

    @Override
    public Host host() {
      throw new AssertionError("a score needs no look at the host");
    }

    @Override
    public Instance instance() {
      throw new AssertionError("a score needs no look at the instance");
    }
  }
}
