package dev.berth.benchmarks.peer;

import dev.berth.api.pipeline.ResourceScore;

/** Prefers hosts with less room: the mean over the dimensions of the share used. In [0, 1]. */
final class MostRequested implements ResourceScore {

  @Override
  public double score(Fit fit) {
    double sum = 0;
    int counted = 0;
    for (int d = 0; d < fit.dimensions(); d++) {
      long capacity = fit.capacity(d);
      if (capacity > 0) {
        sum += (double) fit.used(d) / capacity;
        counted++;
      }
    }
    return counted == 0 ? 0 : sum / counted;
  }

  @Override
  public double upperBound(Fit least, Fit most) {
    return score(most);
  }
}
