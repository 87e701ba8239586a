package dev.berth.experiments.bound;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.result.PenaltyTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A cost by the deficit of a request: convex, increasing, linear piece by piece. So the first
 * service that a request gets reduces its cost most.
 */
final class ConvexCost {

  /** Availabilities are rounded: one so close to a tier may count as the better one. */
  private static final double HAIR = 1e-9;

  private final double[] deficits; // ascending
  private final double[] costs;

  private ConvexCost(double[] deficits, double[] costs) {
    this.deficits = deficits;
    this.costs = costs;
  }

  /** Returns the deficit itself as the cost. */
  static ConvexCost identity(double least, double most) {
    double[] both = {least, most};
    return new ConvexCost(both, both);
  }

  /**
   * Returns the greatest such cost that does not exceed the penalty. The penalty itself is not
   * convex: its bonus rises from tier to tier.
   *
   * @param least the least deficit
   * @param most the greatest deficit
   * @param coreHours the penalty of a deficit of 1 without a bonus
   */
  static ConvexCost ofPenalty(
      PenaltyTable penalties,
      ServiceClass serviceClass,
      double least,
      double most,
      double coreHours) {
    double slo = serviceClass.slo().share();
    List<Double> borders = new ArrayList<>(List.of(least, most));
    for (PenaltyTable.Tier each : penalties.tiersOf(serviceClass)) {
      double border = slo - each.below();
      if (border > least && border < most) {
        borders.add(border);
      }
    }
    borders.sort(Comparator.reverseOrder());
    List<double[]> hull = new ArrayList<>(); // from the greatest deficit
    double cost = Double.POSITIVE_INFINITY;
    for (double each : borders) {
      double better = penalties.penalty(serviceClass, slo - each + HAIR, coreHours, 1);
      double worse = penalties.penalty(serviceClass, slo - each - HAIR, coreHours, 1);
      cost = Math.min(cost, Math.min(better, worse));
      double[] point = {each, cost};
      while (hull.size() > 1 && isAbove(hull.get(hull.size() - 1), point, hull)) {
        hull.remove(hull.size() - 1);
      }
      hull.add(point);
    }
    int size = hull.size();
    double[] deficits = new double[size];
    double[] costs = new double[size];
    for (int i = 0; i < size; i++) {
      deficits[i] = hull.get(size - 1 - i)[0];
      costs[i] = hull.get(size - 1 - i)[1];
    }
    return new ConvexCost(deficits, costs);
  }

  /** Returns whether the last point is above the line from the one before it to the next. */
  private static boolean isAbove(double[] last, double[] next, List<double[]> hull) {
    double[] before = hull.get(hull.size() - 2);
    return (before[1] - next[1]) * (last[0] - next[0])
        <= (last[1] - next[1]) * (before[0] - next[0]);
  }

  /** Returns the cost of the least deficit. */
  double least() {
    return costs[0];
  }

  /** Returns the number of pieces. */
  int pieces() {
    return deficits.length - 1;
  }

  /** Returns the deficit at which a piece begins, or the last one ends. */
  double from(int piece) {
    return deficits[piece];
  }

  /** Returns the slope of a piece. */
  double slope(int piece) {
    double width = deficits[piece + 1] - deficits[piece];
    return width > 0 ? (costs[piece + 1] - costs[piece]) / width : 0;
  }
}
