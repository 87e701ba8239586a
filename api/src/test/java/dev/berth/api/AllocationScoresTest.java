package dev.berth.api;

import static dev.berth.api.pipeline.AllocationScores.balancedAllocation;
import static dev.berth.api.pipeline.AllocationScores.leastRequested;
import static dev.berth.api.pipeline.AllocationScores.weighted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores.Weighted;
import dev.berth.api.pipeline.ResourceScore;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
  void leastRequestedIsTheMeanFreeShare() {
    assertThat(leastRequested().score(UNEVEN)).isEqualTo(0.5); // (.25 + .75) / 2
    assertThat(leastRequested().score(FakeFit.of(10, 1))).isEqualTo(0.9);
    assertThat(leastRequested().score(FakeFit.of(4, 4, 8, 8))).isZero();
    assertThat(leastRequested().score(FakeFit.of(4, 0, 8, 0))).isEqualTo(1);
    assertThat(leastRequested().score(FakeFit.of(4, 1, 4, 2, 4, 3))).isEqualTo(0.5);
  }

  @Test
  void balancedAllocationIsOneMinusTheSpreadOfShares() {
    assertThat(balancedAllocation().score(UNEVEN)).isEqualTo(0.5); // 1 - (.75 - .25)
    assertThat(balancedAllocation().score(FakeFit.of(4, 2, 8, 4))).isEqualTo(1);
    assertThat(balancedAllocation().score(FakeFit.of(4, 4, 8, 0))).isZero();
    assertThat(balancedAllocation().score(FakeFit.of(10, 7))).isEqualTo(1);
    assertThat(balancedAllocation().score(FakeFit.of(4, 1, 4, 2, 4, 4))).isEqualTo(0.25);
  }

  @Test
  void ignoresDimensionsTheHostLacks() {
    assertThat(leastRequested().score(FakeFit.of(4, 3, 0, 0, 8, 2))).isEqualTo(0.5);
    assertThat(balancedAllocation().score(FakeFit.of(4, 3, 0, 0, 8, 2))).isEqualTo(0.5);
  }

  @Test
  void emptyHostScoresZero() {
    assertThat(leastRequested().score(FakeFit.of())).isZero();
    assertThat(balancedAllocation().score(FakeFit.of())).isZero();
    assertThat(leastRequested().score(FakeFit.of(0, 0))).isZero();
    assertThat(balancedAllocation().score(FakeFit.of(0, 0))).isZero();
  }

  @Test
  void weightedScoreIsTheWeightedMean() {
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
  void doesNotEvaluateAScoreOfWeightZero() {
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
  void refusesWeightsThatSumToZero() {
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
  void refusesWeightsOutOfRange(double weight) {
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

  /** Exact to the last bit, also for amounts that a double cannot distinguish. */
  @Property(tries = 5000)
  void noScoreExceedsItsUpperBound(@ForAll long seed, @ForAll @IntRange(max = 5) int dimensions) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] least = new long[2 * dimensions];
    long[] most = new long[2 * dimensions];
    long[] between = new long[2 * dimensions];
    for (int at = 0; at < least.length; at += 2) {
      long capacity = capacity(random);
      long one = random.nextLong(capacity + 1);
      long other = random.nextInt(3) == 0 ? one : near(one, capacity, random);
      least[at] = capacity;
      most[at] = capacity;
      between[at] = capacity;
      least[at + 1] = Math.min(one, other);
      most[at + 1] = Math.max(one, other);
      between[at + 1] = random.nextLong(least[at + 1], most[at + 1] + 1);
    }
    for (ResourceScore score : usual(random)) {
      double bound = score.upperBound(FakeFit.of(least), FakeFit.of(most));

      assertThat(score.score(FakeFit.of(between))).isLessThanOrEqualTo(bound);
      assertThat(score.score(FakeFit.of(least))).isLessThanOrEqualTo(bound);
      assertThat(score.score(FakeFit.of(most))).isLessThanOrEqualTo(bound);
      assertThat(score.upperBound(FakeFit.of(between), FakeFit.of(between)))
          .isEqualTo(score.score(FakeFit.of(between)));
    }
  }

  private static long capacity(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> 1L << 62;
      case 2 -> (1L << 53) + random.nextInt(10);
      default -> 1 + random.nextInt(1000);
    };
  }

  private static long near(long amount, long capacity, SplittableRandom random) {
    return random.nextBoolean()
        ? random.nextLong(capacity + 1)
        : Math.max(0, Math.min(capacity, amount + random.nextInt(-2, 3)));
  }

  private static List<ResourceScore> usual(SplittableRandom random) {
    return Stream.of(
            leastRequested(),
            balancedAllocation(),
            weighted(
                List.of(
                    new Weighted(leastRequested(), random.nextDouble()),
                    new Weighted(balancedAllocation(), 0.1 + random.nextDouble()))),
            weighted(List.of(new Weighted(balancedAllocation(), 0), new Weighted(byFirst(), 2))))
        .map(ResourceScore.class::cast)
        .toList();
  }

  /** A custom score with a bound. */
  private static ResourceScore byFirst() {
    return new ResourceScore() {
      @Override
      public double score(Fit fit) {
        return fit.dimensions() == 0 ? 0 : fit.used(0);
      }

      @Override
      public double upperBound(Fit least, Fit most) {
        return score(most);
      }
    };
  }

  @Test
  void resourceScoreIsUnboundedByDefault() {
    ResourceScore own = fit -> fit.used(0);

    assertThat(own.upperBound(UNEVEN, UNEVEN)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void weightedScoreDependsOnResourcesOnlyIfAllPartsDo() {
    AllocationScore own = fit -> fit.now();
    Weighted room = new Weighted(leastRequested(), 1);

    assertThat(leastRequested()).isInstanceOf(ResourceScore.class);
    assertThat(balancedAllocation()).isInstanceOf(ResourceScore.class);
    assertThat(weighted(List.of(room, new Weighted(balancedAllocation(), 1))))
        .isInstanceOf(ResourceScore.class);
    assertThat(weighted(List.of(room, new Weighted(own, 1)))).isNotInstanceOf(ResourceScore.class);
  }

  /** Capacity and use of each dimension, alternating. */
  record FakeFit(List<Long> values) implements AllocationScore.Fit {
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
