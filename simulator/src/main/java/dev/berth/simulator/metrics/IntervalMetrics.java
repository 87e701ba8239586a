package dev.berth.simulator.metrics;

import java.util.List;

/**
 * What the requests got that were active in one interval: there at its end, or ended in it (section
 * 5.3).
 *
 * @param start in seconds since the start of the run
 * @param end in seconds; where the run ends, the last interval does
 * @param classes what each class got, most important first
 */
public record IntervalMetrics(double start, double end, List<ClassInterval> classes) {

  /** Copies the list. */
  public IntervalMetrics {
    classes = List.copyOf(classes);
  }

  /**
   * The active requests of one class: their availability at the end of the interval, or at their
   * own.
   *
   * @param name of the class
   * @param active how many had an availability; if none, the figures are 0 and mean nothing
   * @param min smallest availability
   * @param max greatest
   * @param mean mean
   * @param gini Gini coefficient of the availabilities: 0 if all are alike, towards 1 the more
   *     unequal they are
   * @param fulfilment share of the requests that have what they were promised
   */
  public record ClassInterval(
      String name,
      long active,
      double min,
      double max,
      double mean,
      double gini,
      double fulfilment) {}
}
