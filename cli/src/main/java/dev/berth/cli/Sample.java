package dev.berth.cli;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.distribution.TDistribution;

/** Some runs' values of one figure. */
final class Sample {

  private static final double BOTH_TAILS = 0.975; // of a confidence of 95 %

  private final List<Double> values;

  private Sample(List<Double> values) {
    this.values = List.copyOf(values);
  }

  static Sample of(List<Double> values) {
    return new Sample(values);
  }

  static <T> Sample of(List<T> runs, ToDoubleFunction<T> figure) {
    List<Double> values = new ArrayList<>();
    runs.forEach(each -> values.add(figure.applyAsDouble(each)));
    return new Sample(values);
  }

  /** Returns the mean; not a number if there are no values. */
  double mean() {
    return statistics().getAsDouble(Statistic.MEAN);
  }

  /** Returns the standard deviation of the values as a sample; 0 of one value. */
  double deviation() {
    return values.size() < 2 ? 0 : statistics().getAsDouble(Statistic.STANDARD_DEVIATION);
  }

  /** Returns half the width of the 95 % confidence interval of the mean (Student's t). */
  double halfWidth() {
    int size = values.size();
    if (size < 2) {
      return 0;
    }
    double t = TDistribution.of(size - 1).inverseCumulativeProbability(BOTH_TAILS);
    return t * deviation() / Math.sqrt(size);
  }

  /** Returns mean and interval in words: {@code "90.7 ±0.2"}. */
  String inWords(int digits) {
    return Numbers.share(mean(), digits) + " ±" + Numbers.share(halfWidth(), digits);
  }

  /** Returns the differences to a sample of as many runs, pair by pair. */
  Sample minus(Sample other) {
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      differences.add(values.get(i) - other.values.get(i));
    }
    return new Sample(differences);
  }

  /** Returns whether the mean is below zero, and not by chance: the whole interval is. */
  boolean isBelowZero() {
    return mean() + halfWidth() < 0;
  }

  private DoubleStatistics statistics() {
    return DoubleStatistics.of(
        EnumSet.of(Statistic.MEAN, Statistic.STANDARD_DEVIATION),
        values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
