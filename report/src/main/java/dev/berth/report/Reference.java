package dev.berth.report;

/**
 * A straight line across a chart to compare values with, such as a capacity.
 *
 * @param label not blank
 * @param value its position, on the y axis for a horizontal and on the x axis for a vertical line
 * @param vertical whether the line is vertical
 */
public record Reference(String label, double value, boolean vertical) {

  /**
   * Checks label and value.
   *
   * @throws IllegalArgumentException if the label is blank or the value not finite
   */
  public Reference {
    Checks.notBlank("label", label);
    Checks.finite("value of " + label, value);
  }

  /** Returns a horizontal line at a value of the y axis. */
  public static Reference horizontal(String label, double value) {
    return new Reference(label, value, false);
  }

  /** Returns a vertical line at a value of the x axis. */
  public static Reference vertical(String label, double value) {
    return new Reference(label, value, true);
  }

  void check(String chart, Axis x, Axis y) {
    (vertical ? x : y).check(chart, value);
  }
}
