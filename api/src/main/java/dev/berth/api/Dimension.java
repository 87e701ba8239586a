package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/**
 * A kind of resource, such as CPU or memory, with the unit it is counted in. Immutable.
 *
 * <p>Amounts are {@code long} multiples of that unit. {@code unitsPerWhole} is the number of units
 * in the quantity that people write: {@link #CPU} counts billionths of a core, so 0.375 cores are
 * 375,000,000 units.
 *
 * @param name name of the resource; not blank. A scheduler identifies a dimension by its name and
 *     refuses two scales for one name
 * @param unitsPerWhole units in one whole, at least 1
 */
public record Dimension(String name, long unitsPerWhole) implements Comparable<Dimension> {

  /** The number of decimal digits in the largest count of units. */
  private static final int MAX_DIGITS = 19;

  /**
   * CPU; whole: one core, or one reference host in traces with normalised amounts; unit: a
   * billionth of that.
   */
  public static final Dimension CPU = new Dimension("cpu", 1_000_000_000L);

  /** Memory; whole: one gigabyte (10<sup>9</sup> bytes), unit: one byte. */
  public static final Dimension MEMORY = new Dimension("memory", 1_000_000_000L);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if {@code name} is blank or {@code unitsPerWhole} is below 1
   */
  public Dimension {
    Objects.requireNonNull(name, "name");
    refuseIf(name.isBlank(), "dimension name was blank. Maybe you meant \"cpu\".");
    refuseIf(
        unitsPerWhole < 1,
        "dimension %s: unitsPerWhole was %s, must be at least 1.",
        name,
        unitsPerWhole);
  }

  /**
   * Converts wholes into units, rounding half up.
   *
   * @param whole an amount in wholes, zero or positive
   * @return the same amount in units
   * @throws IllegalArgumentException if the amount is negative or 2<sup>62</sup> units or more
   */
  public long units(BigDecimal whole) {
    Objects.requireNonNull(whole, "whole");
    refuseIf(whole.signum() < 0, "%s was %s, must not be negative.", name, whole);
    // Compare magnitudes before scaling, so that neither 1e999999999 nor 1e-999999999 is expanded.
    long magnitude = (long) whole.precision() - whole.scale();
    if (whole.signum() == 0 || magnitude < -MAX_DIGITS) {
      return 0;
    }
    if (magnitude > MAX_DIGITS) {
      throw tooLarge(whole);
    }
    BigDecimal units =
        whole.multiply(BigDecimal.valueOf(unitsPerWhole)).setScale(0, RoundingMode.HALF_UP);
    if (units.unscaledValue().bitLength() > 62) {
      throw tooLarge(whole);
    }
    return units.longValueExact();
  }

  /**
   * Returns the units of a whole amount: {@code CPU.whole(4)} is four cores.
   *
   * @throws IllegalArgumentException if the amount is negative or too large to count
   */
  public long whole(long amount) {
    return units(BigDecimal.valueOf(amount));
  }

  private IllegalArgumentException tooLarge(BigDecimal whole) {
    return new IllegalArgumentException("%s was %s, too large to count.".formatted(name, whole));
  }

  /**
   * Converts units into wholes, as text.
   *
   * @param units an amount in units
   * @return the amount in wholes, without trailing zeros: {@code "0.375"}
   */
  public String format(long units) {
    if (units == 0) {
      return "0";
    }
    int decimals = Math.max(9, BigDecimal.valueOf(unitsPerWhole).precision());
    return BigDecimal.valueOf(units)
        .divide(BigDecimal.valueOf(unitsPerWhole), decimals, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  /** Orders by name, then by scale. */
  @Override
  public int compareTo(Dimension other) {
    int byName = name.compareTo(other.name);
    return byName != 0 ? byName : Long.compare(unitsPerWhole, other.unitsPerWhole);
  }

  @Override
  public String toString() {
    return name;
  }
}
