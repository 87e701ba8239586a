package dev.berth.report;

/**
 * A point in a chart.
 *
 * @param x finite
 * @param y finite
 */
public record Point(double x, double y) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is not finite
   */
  public Point {
    Checks.finite("x", x);
    Checks.finite("y", y);
  }
}
