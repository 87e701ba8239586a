package dev.berth.report;

/**
 * A straight line across a chart that values are held against: a capacity, say.
 *
 * @param label not blank
 * @param value where it is, on the y axis for a horizontal and on the x axis for a vertical one
 * @param vertical whether it goes from below to above
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

  /** From left to right, at a value of the y axis. */
  public static Reference horizontal(String label, double value) {
    return new Reference(label, value, false);
  }

  /** From below to above, at a value of the x axis. */
  public static Reference vertical(String label, double value) {
    return new Reference(label, value, true);
  }

  void check(String chart, Axis x, Axis y) {
    (vertical ? x : y).check(chart, value);
  }
}
