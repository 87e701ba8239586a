package dev.berth.experiments.figures;

import com.google.common.primitives.ImmutableDoubleArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The values of one figure over several runs or other repetitions.
 *
 * @param values in the order of the repetitions
 */
public record Sample(List<Double> values) {

  /** A figure that is nowhere defined. */
  public static final Sample NONE = new Sample(List.of());

  private static final double BOTH_TAILS = 0.975; // of a confidence of 95 %

  /** Copies the list, eight bytes a value: a study has millions. */
  public Sample {
    values = ImmutableDoubleArray.copyOf(values).asList();
  }

  /** Returns a sample of these values. */
  public static Sample of(List<Double> values) {
    return new Sample(values);
  }

  /** Returns a sample of one figure of each run. */
  public static <T> Sample of(List<T> runs, ToDoubleFunction<T> figure) {
    List<Double> values = new ArrayList<>();
    runs.forEach(each -> values.add(figure.applyAsDouble(each)));
    return new Sample(values);
  }

  /** Returns a sample of a figure, over the runs in which the figure is defined. */
  public static <T> Sample ofDefined(List<T> runs, Function<T, OptionalDouble> figure) {
    List<Double> values = new ArrayList<>();
    runs.forEach(each -> figure.apply(each).ifPresent(values::add));
    return new Sample(values);
  }

  /** Returns the mean; NaN if the sample is empty. */
  public double mean() {
    return statistics().getAsDouble(Statistic.MEAN);
  }

  /**
   * Returns the smallest value.
   *
   * @throws java.util.NoSuchElementException if the sample is empty
   */
  public double min() {
    return Collections.min(values);
  }

  /** Returns the sample standard deviation; 0 for one value. */
  public double deviation() {
    return values.size() < 2 ? 0 : statistics().getAsDouble(Statistic.STANDARD_DEVIATION);
  }

  /**
   * Returns half the width of the 95 % confidence interval of the mean (Student's t). Fewer than
   * two values have no interval: empty.
   */
  public OptionalDouble halfWidth() {
    int size = values.size();
    if (size < 2) {
      return OptionalDouble.empty();
    }
    double t = TDistribution.of(size - 1).inverseCumulativeProbability(BOTH_TAILS);
    return OptionalDouble.of(t * deviation() / Math.sqrt(size));
  }

  /** Returns the value of a figure of one run; empty if it is undefined. */
  public OptionalDouble only() {
    return size() == 1 ? OptionalDouble.of(values.get(0)) : OptionalDouble.empty();
  }

  /** Returns the sum. */
  public double sum() {
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Returns the number of values. */
  public int size() {
    return values.size();
  }

  /** Returns the sample with each value multiplied by a factor. */
  public Sample times(double factor) {
    return of(values, value -> value * factor);
  }

  /** Returns the paired differences to a sample of the same size. */
  public Sample minus(Sample other) {
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      differences.add(values.get(i) - other.values.get(i));
    }
    return new Sample(differences);
  }

  /**
   * Returns whether the mean is significantly below zero: the whole confidence interval is. False
   * without an interval.
   */
  public boolean isBelowZero() {
    OptionalDouble margin = halfWidth();
    return margin.isPresent() && mean() + margin.getAsDouble() < 0;
  }

  private DoubleStatistics statistics() {
    return DoubleStatistics.of(
        EnumSet.of(Statistic.MEAN, Statistic.STANDARD_DEVIATION),
        values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
