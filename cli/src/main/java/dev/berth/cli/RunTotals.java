package dev.berth.cli;

import dev.berth.simulator.ClassResult;
import dev.berth.simulator.metrics.ClassMetrics;
import dev.berth.simulator.metrics.DimensionUse;
import dev.berth.simulator.metrics.RunMetrics;
import java.util.List;

/**
 * Figures of a run over all its classes.
 *
 * @param waitingMean mean time not in service, in seconds
 * @param restartOverhead what starting again after preemptions took, in seconds
 * @param used mean share of the hosts that was granted, in the dimension that was used most
 */
record RunTotals(double waitingMean, double restartOverhead, double used) {

  static RunTotals of(RunMetrics metrics) {
    List<ClassResult> results = metrics.result().classes();
    double waited = 0;
    long count = 0;
    for (int i = 0; i < results.size(); i++) {
      waited += metrics.classes().get(i).waitingMean() * results.get(i).count();
      count += results.get(i).count();
    }
    return new RunTotals(
        count == 0 ? 0 : waited / count,
        metrics.classes().stream().mapToDouble(ClassMetrics::restartOverhead).sum(),
        metrics.dimensions().stream().mapToDouble(DimensionUse::granted).max().orElse(0));
  }
}
