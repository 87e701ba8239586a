package dev.berth.api;

import static dev.berth.api.Moldability.LINPACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Moldability.Point;
import dev.berth.api.pipeline.Molding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoldabilityTest {

  @ParameterizedTest
  @CsvSource({
    "10, 1000000",
    "8, 1300000",
    "7, 1500000",
    "6, 1800000",
    "5, 2100000",
    "4, 2500000",
    "9, 1150000",
    "12, 1000000"
  })
  void linpackSlowsDownAsMeasured(int coresOfTen, long partsPerMillion) {
    assertThat(LINPACK.slowdown(coresOfTen / 10.0).partsPerMillion()).isEqualTo(partsPerMillion);
  }

  @ParameterizedTest
  @CsvSource({"0.75, 1.4", "0.65, 1.65", "0.55, 1.95", "0.45, 2.3", "0.42, 2.42"})
  void isLinearBetweenThePoints(double share, double factor) {
    assertThat(LINPACK.slowdown(share)).isEqualTo(Slowdown.of(factor));
  }

  @Test
  void isUndefinedBelowTheLastPoint() {
    assertThat(LINPACK.leastShare()).isEqualTo(0.4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LINPACK.slowdown(0.39))
        .withMessage("moldability: share was 0.39, must be at least 0.4.");
    assertThatIllegalArgumentException().isThrownBy(() -> LINPACK.slowdown(Double.NaN));
    assertThat(LINPACK.slowdown(0.4 - 1e-12)).as("a rounding error").isEqualTo(Slowdown.of(2.5));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1.3, 0.8", "1.5, 0.7", "1.8, 0.6", "2.1, 0.5", "2.5, 0.4", "1000, 0.4"})
  void leastShareForAMeasuredFactorIsTheMeasuredShare(double factor, double share) {
    assertThat(LINPACK.leastShare(factor)).isEqualTo(share);
  }

  @Test
  void slowdownOfTwoTakesEightFifteenthsOfTheCores() {
    assertThat(LINPACK.leastShare(2)).isCloseTo(8 / 15.0, within(1e-12));
    assertThat(LINPACK.slowdown(LINPACK.leastShare(2))).isEqualTo(Slowdown.of(2));
  }

  @Test
  void plateauExtendsToItsLeastShare() {
    Moldability flat =
        new Moldability(List.of(new Point(1, 1), new Point(0.5, 1), new Point(0.25, 3)));

    assertThat(flat.leastShare(1)).isEqualTo(0.5);
    assertThat(flat.leastShare(2)).isEqualTo(0.375);
    assertThat(flat.slowdown(0.7)).isEqualTo(Slowdown.NONE);
  }

  @Test
  void rigidProfileHasOnePoint() {
    Moldability rigid = new Moldability(List.of(new Point(1, 1)));

    assertThat(rigid.leastShare()).isEqualTo(1);
    assertThat(rigid.leastShare(5)).isEqualTo(1);
    assertThat(rigid.slowdown(1)).isEqualTo(Slowdown.NONE);
    assertThat(rigid.slowdown(3)).isEqualTo(Slowdown.NONE);
  }

  @Test
  void acceptsPointsInAnyOrder() {
    Moldability given =
        new Moldability(List.of(new Point(0.5, 2), new Point(1, 1), new Point(0.75, 1.2)));

    assertThat(given.points()).extracting(Point::share).containsExactly(1.0, 0.75, 0.5);
    assertThat(given.points()).isUnmodifiable();
  }

  @Test
  void refusesInvalidValues() {
    refuses("moldability: the points must start with share 1 at factor 1, were [].");
    refuses(
        "moldability: the points must start with share 1 at factor 1, were [Point[share=0.5, factor=2.0]].",
        new Point(0.5, 2));
    refuses(
        "moldability: the points must start with share 1 at factor 1, were [Point[share=1.0, factor=1.5]].",
        new Point(1, 1.5));
    refuses(
        "moldability: share 0.5 was given twice.",
        new Point(1, 1),
        new Point(0.5, 2),
        new Point(0.5, 3));
    refuses(
        "moldability: factor 1.5 at share 0.4 was less than 2.0 at share 0.5; fewer cores must not be faster.",
        new Point(1, 1),
        new Point(0.4, 1.5),
        new Point(0.5, 2));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "-0.1, 1", "1.1, 1", "NaN, 1", "0.5, 0.9", "0.5, 1001", "0.5, NaN"})
  void refusesPointsOutOfRange(double share, double factor) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Point(share, factor));
  }

  @ParameterizedTest
  @CsvSource({"0.9", "1000.5", "NaN", "-1"})
  void refusesSlowdownBelowOne(double maxSlowdown) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Molding(maxSlowdown))
        .withMessage(
            "maxSlowdown was %s, must be from 1 (no molding) to 1000".formatted(maxSlowdown));
  }

  @Test
  void slowdownOfOneMeansNoMolding() {
    assertThat(Molding.NONE.molds()).isFalse();
    assertThat(new Molding(1.01).molds()).isTrue();
  }

  private static void refuses(String words, Point... points) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Moldability(List.of(points)))
        .withMessage(words);
  }
}
