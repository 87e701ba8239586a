package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DimensionTest {

  private static final Dimension LICENCE = new Dimension("licence", 1);

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1000000000",
    "0.375, 375000000",
    "3.75, 3750000000",
    "0.0000000004, 0",
    "0.0000000005, 1",
    "0.00000000149, 1",
    "1e3, 1000000000000",
    "4611686018.427387903, 4611686018427387903"
  })
  void wholesBecomeUnitsRoundedHalfUp(String whole, long units) {
    assertThat(Dimension.CPU.units(new BigDecimal(whole))).isEqualTo(units);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0.000000001",
    "375000000, 0.375",
    "1000000000, 1",
    "10000000000, 10",
    "-250000000, -0.25",
    "9223372036854775807, 9223372036.854775807"
  })
  void writesUnitsAsWholesWithoutTrailingZeros(long units, String whole) {
    assertThat(Dimension.CPU.format(units)).isEqualTo(whole);
  }

  @Test
  void roundsHalfAUnitUp() {
    assertThat(LICENCE.units(new BigDecimal("0.5"))).isEqualTo(1);
    assertThat(LICENCE.units(new BigDecimal("0.4999"))).isZero();
  }

  @Test
  void writesNineDecimals() {
    assertThat(new Dimension("third", 3).format(1)).isEqualTo("0.333333333");
  }

  @Property
  void writtenUnitsReadBack(@ForAll @LongRange(min = 0, max = 1L << 61) long units) {
    assertThat(Dimension.MEMORY.units(new BigDecimal(Dimension.MEMORY.format(units))))
        .isEqualTo(units);
  }

  @Test
  void refusesNegativeAmounts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dimension.CPU.units(new BigDecimal("-0.1")))
        .withMessage("cpu was -0.1, must not be negative.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "9e2147483647", "1e20", "4611686018.427387904"})
  void refusesHugeAmountsWithoutExpandingThem(String whole) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dimension.CPU.units(new BigDecimal(whole)))
        .withMessageContaining("too large to count");
  }

  @Test
  void roundsTinyAmountsToZeroWithoutExpandingThem() {
    assertThat(Dimension.CPU.units(new BigDecimal("1e-999999999"))).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.000", "0e5", "0e20", "0e-20", "-0.0"})
  void readsZeroInEveryNotation(String zero) {
    assertThat(Dimension.CPU.units(new BigDecimal(zero))).isZero();
  }

  @Test
  void neverWritesANonZeroAmountAsZero() {
    Dimension terabytes = new Dimension("storage", 1_000_000_000_000L);

    assertThat(terabytes.format(1)).isEqualTo("0.000000000001");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t"})
  void refusesBlankNames(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Dimension(name, 1))
        .withMessageContaining("blank");
  }

  @Test
  void refusesAMissingName() {
    assertThatNullPointerException().isThrownBy(() -> new Dimension(null, 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void refusesUnitsPerWholeBelowOne(long unitsPerWhole) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Dimension("gpu", unitsPerWhole))
        .withMessage("dimension gpu: unitsPerWhole was %d, must be at least 1.", unitsPerWhole);
  }

  @Test
  void ordersByNameThenScale() {
    assertThat(Dimension.CPU).isLessThan(Dimension.MEMORY);
    assertThat(new Dimension("cpu", 1)).isLessThan(Dimension.CPU);
    assertThat(Dimension.CPU).isEqualByComparingTo(new Dimension("cpu", 1_000_000_000));
  }

  @Test
  void textIsTheName() {
    assertThat(Dimension.MEMORY).hasToString("memory");
  }

  @Test
  void wholeAmounts() {
    assertThat(Dimension.CPU.whole(4)).isEqualTo(4_000_000_000L);
    assertThat(LICENCE.whole(0)).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dimension.CPU.whole(-1))
        .withMessage("cpu was -1, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dimension.CPU.whole(Long.MAX_VALUE))
        .withMessageContaining("too large to count");
  }
}
