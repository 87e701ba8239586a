package dev.berth.simulator.metrics;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The figures of the requests active in one interval: live at its end, or ended within it (section
 * 5.3).
 *
 * @param start of the interval, in seconds since the start of the run
 * @param end of the interval, in seconds; the last interval ends with the run
 * @param classes figures of each class, most important first
 */
public record IntervalMetrics(double start, double end, List<ClassInterval> classes) {

  /** Copies the list. */
  public IntervalMetrics {
    classes = List.copyOf(classes);
  }

  /**
   * The active requests of one class, by their availability at the end of the interval or at their
   * own end. All figures but the count are absent if no request was active.
   *
   * @param name of the class
   * @param active number of active requests that have an availability
   * @param min smallest availability
   * @param max greatest availability
   * @param mean mean availability
   * @param gini Gini coefficient of the availabilities: 0 if all are equal, towards 1 the more
   *     unequal they are
   * @param fulfilment share of the requests that meet their objective
   * @param served share of the requests that lack nothing but the time of their first start: they
   *     were placed when they were admitted, and have kept their hosts
   * @param met share of the requests that meet their objective or lack no more than that
   */
  public record ClassInterval(
      String name,
      long active,
      OptionalDouble min,
      OptionalDouble max,
      OptionalDouble mean,
      OptionalDouble gini,
      OptionalDouble fulfilment,
      OptionalDouble served,
      OptionalDouble met) {

    /** Returns the figures of a class without active requests. */
    public static ClassInterval inactive(String name) {
      OptionalDouble undefined = OptionalDouble.empty();
      return new ClassInterval(
          name, 0, undefined, undefined, undefined, undefined, undefined, undefined, undefined);
    }
  }
}
