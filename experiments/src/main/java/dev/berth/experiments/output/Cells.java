package dev.berth.experiments.output;

import dev.berth.experiments.Sample;
import dev.berth.report.Table;

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
}
