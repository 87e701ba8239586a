package dev.berth.simulator.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Means of rows of figures over steps of equal length. When there are too many steps, pairs of
 * steps are merged.
 */
final class Buckets {

  private static final int MOST = 1024;

  private final int width;
  private final List<double[]> sums = new ArrayList<>();
  private int rowsPerBucket = 1;
  private int rowsInLast;

  Buckets(int width) {
    this.width = width;
  }

  void add(double[] row) {
    if (sums.isEmpty() || rowsInLast == rowsPerBucket) {
      if (sums.size() == MOST) {
        halve();
      }
      sums.add(new double[width]);
      rowsInLast = 0;
    }
    double[] last = sums.get(sums.size() - 1);
    for (int i = 0; i < width; i++) {
      last[i] += row[i];
    }
    rowsInLast++;
  }

  private void halve() {
    List<double[]> pairs = new ArrayList<>();
    for (int i = 0; i < sums.size(); i += 2) {
      double[] both = sums.get(i);
      double[] second = sums.get(i + 1);
      for (int column = 0; column < width; column++) {
        both[column] += second[column];
      }
      pairs.add(both);
    }
    sums.clear();
    sums.addAll(pairs);
    rowsPerBucket *= 2;
  }

  int rowsPerBucket() {
    return rowsPerBucket;
  }

  /** Returns the means of a column. */
  List<Double> means(int column) {
    Double[] means = new Double[sums.size()];
    for (int i = 0; i < means.length; i++) {
      int rows = i == means.length - 1 ? rowsInLast : rowsPerBucket;
      means[i] = sums.get(i)[column] / rows;
    }
    return Arrays.asList(means);
  }
}
