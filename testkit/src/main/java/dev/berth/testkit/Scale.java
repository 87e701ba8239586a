package dev.berth.testkit;

import dev.berth.api.Resources;
import java.util.List;

/**
 * Turns small numbers into quantities.
 *
 * @param dimensions how many of {@link Clusters#DIMENSIONS} count, from 1
 * @param unit how many units a small number stands for; large ones bring out overflows
 */
public record Scale(int dimensions, long unit) {

  /**
   * Returns the quantities that some small numbers stand for, one for each dimension; superfluous
   * ones are ignored.
   */
  public Resources resources(List<Integer> small) {
    Resources.Builder resources = Resources.builder();
    for (int d = 0; d < dimensions; d++) {
      resources.put(Clusters.DIMENSIONS.get(d), small.get(d) * unit);
    }
    return resources.build();
  }
}
