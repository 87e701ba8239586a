package dev.berth.testkit.history;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import java.util.List;

/**
 * Turns small numbers into quantities.
 *
 * @param dimensions how many of {@link #DIMENSIONS} count, from 1
 * @param unit how many units a small number stands for; large ones bring out overflows
 */
public record Scale(int dimensions, long unit) {

  /** The dimensions that generated quantities may have; a unit is a whole. */
  public static final List<Dimension> DIMENSIONS =
      List.of(
          new Dimension("cpu", 1),
          new Dimension("memory", 1),
          new Dimension("disk", 1),
          new Dimension("bandwidth", 1));

  /**
   * Returns the quantities that some small numbers stand for, one for each dimension; superfluous
   * ones are ignored. Whatever is beyond counting is {@link Long#MAX_VALUE}.
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
