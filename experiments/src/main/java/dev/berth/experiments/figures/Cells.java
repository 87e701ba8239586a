package dev.berth.experiments.figures;

import dev.berth.report.BarChart;
import dev.berth.report.Series;
import dev.berth.report.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Cells of tables that show samples. */
public final class Cells {

  private Cells() {}

  /**
   * Returns the mean and the 95 % confidence interval; the mean alone of one value, absent of none.
   */
  public static Table.Cell estimate(Sample sample, int digits) {
    return sample.size() == 0
        ? Table.Cell.absent()
        : Table.Cell.estimate(sample.mean(), sample.halfWidth(), digits);
  }

  /** Returns the mean alone; absent for an empty sample. */
  public static Table.Cell mean(Sample sample, int digits) {
    return sample.size() == 0 ? Table.Cell.absent() : Table.Cell.number(sample.mean(), digits);
  }

  /** Returns a bar for the mean and its 95 % confidence interval. */
  public static BarChart.Bar bar(Sample sample) {
    return new BarChart.Bar(sample.mean(), sample.halfWidth());
  }

  /** Returns a series of bars, without those of empty samples. */
  public static Series<BarChart.Bar> bars(
      String name, List<String> categories, Function<String, Sample> of) {
    return Series.of(
        name,
        categories,
        each -> Optional.of(of.apply(each)).filter(its -> its.size() > 0).map(Cells::bar));
  }
}
