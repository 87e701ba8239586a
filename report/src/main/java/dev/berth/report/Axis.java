package dev.berth.report;

import java.util.OptionalDouble;

/**
 * The quantity along one side of a chart.
 *
 * @param name not blank
 * @param unit such as {@code h}; may be empty
 * @param logarithmic whether equal ratios have equal distances; then all values are above 0
 * @param min where it begins; if absent, at the least value, or at 0 for bars
 * @param max where it ends; if absent, at the greatest value
 */
public record Axis(
    String name, String unit, boolean logarithmic, OptionalDouble min, OptionalDouble max) {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the name is blank, the range is empty, or a logarithmic
   *     axis would reach 0 or below
   */
  public Axis {
    Checks.notBlank("name", name);
    Checks.finite("min of " + name, min);
    Checks.finite("max of " + name, max);
    if (min.isPresent() && max.isPresent() && min.getAsDouble() >= max.getAsDouble()) {
      throw new IllegalArgumentException(
          "min of %s was %s, must be below max, which was %s."
              .formatted(name, min.getAsDouble(), max.getAsDouble()));
    }
    if (logarithmic && (min.orElse(1) <= 0 || max.orElse(1) <= 0)) {
      throw new IllegalArgumentException(
          "%s reaches 0 or below, must be above 0: it is logarithmic.".formatted(name));
    }
  }

  /** Returns an axis without a unit. */
  public static Axis of(String name) {
    return of(name, "");
  }

  /** Returns an axis that spans the values. */
  public static Axis of(String name, String unit) {
    return new Axis(name, unit, false, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** Returns the axis with a logarithmic scale. */
  public Axis asLogarithmic() {
    return new Axis(name, unit, true, min, max);
  }

  /** Returns the axis with a fixed range. */
  public Axis within(double from, double to) {
    return new Axis(name, unit, logarithmic, OptionalDouble.of(from), OptionalDouble.of(to));
  }

  void check(String chart, double value) {
    Checks.finite("A value on '%s' of %s".formatted(name, chart), value);
    if (logarithmic && value <= 0) {
      throw new IllegalArgumentException(
          "A value on '%s' of %s was %s, must be above 0: the axis is logarithmic."
              .formatted(name, chart, value));
    }
  }
}
