package dev.berth.testkit.history;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import java.util.List;

/**
 * Converts small numbers into quantities.
 *
 * @param dimensions how many of {@link #DIMENSIONS} count, from 1
 * @param unit the units of a small number; large ones provoke overflows
 */
public record Scale(int dimensions, long unit) {

  /** Checks the numbers. */
  public Scale {
    refuseIf(
        dimensions < 1 || dimensions > DIMENSIONS.size() || unit < 1,
        "a scale had %s dimensions and a unit of %s, must have 1 to %s and at least 1.",
        dimensions,
        unit,
        DIMENSIONS.size());
  }

  /** The units of a whole, in all of {@link #DIMENSIONS}. */
  public static final long WHOLE = Dimension.CPU.unitsPerWhole();

  /** The dimensions that generated quantities may have. */
  public static final List<Dimension> DIMENSIONS =
      List.of(
          Dimension.CPU,
          Dimension.MEMORY,
          new Dimension("disk", WHOLE),
          new Dimension("bandwidth", WHOLE));

  /**
   * Returns the quantities for small numbers, one for each dimension; superfluous ones are ignored.
   * Quantities that exceed a {@code long} are {@link Long#MAX_VALUE}.
   */
  public Resources resources(List<Integer> small) {
    Resources.Builder resources = Resources.builder();
    for (int d = 0; d < dimensions; d++) {
      resources.put(DIMENSIONS.get(d), amount(small.get(d)));
    }
    return resources.build();
  }

  private long amount(int small) {
    return small > Long.MAX_VALUE / unit ? Long.MAX_VALUE : small * unit;
  }
}
