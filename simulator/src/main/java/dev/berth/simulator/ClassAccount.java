package dev.berth.simulator;

import dev.berth.api.Dimension;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.RequestOutcome;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.descriptive.Sum;

/** The account of the requests of one service class. Takes O(1) memory. */
final class ClassAccount {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_HOUR = 3600e9;
  private static final long NANOS_PER_MICRO = 1000;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final int DIGITS = 3;

  private final ServiceClass serviceClass;
  private final PenaltyTable penalties;
  private final DoubleStatistics availabilities =
      DoubleStatistics.of(Statistic.MIN, Statistic.MEAN, Statistic.MAX);
  private final DoubleStatistics deficits = DoubleStatistics.of(Statistic.MEAN, Statistic.MAX);
  private final Histogram waiting = new Histogram(DIGITS); // in microseconds
  private final Sum waited = Sum.create();
  private final Sum restartOverhead = Sum.create();
  private final Sum lostWork = Sum.create();
  private final Sum lostService = Sum.create();
  private final Sum served = Sum.create();
  private final Sum penalty = Sum.create();
  private long met;
  private long longestWait;
  private long neverRan;
  private long preemptions;

  ClassAccount(ServiceClass serviceClass, PenaltyTable penalties) {
    this.serviceClass = serviceClass;
    this.penalties = penalties;
  }

  ServiceClass serviceClass() {
    return serviceClass;
  }

  /**
   * Adds an ended request that has an availability.
   *
   * @param lost the time on hosts that preemptions cost it, in nanoseconds
   * @param inVain the service whose progress it lost, in nanoseconds
   */
  void add(RequestOutcome outcome, long lost, long inVain) {
    InstanceReport report = outcome.report();
    double availability = report.availability().orElseThrow();
    availabilities.accept(availability);
    waiting.recordValue(report.waitingTime() / NANOS_PER_MICRO);
    waited.accept(report.waitingTime() / NANOS_PER_SECOND);
    longestWait = Math.max(longestWait, report.waitingTime());
    restartOverhead.accept(report.restartOverhead() / NANOS_PER_SECOND);
    lostWork.accept(lost / NANOS_PER_SECOND);
    lostService.accept(inVain / NANOS_PER_SECOND);
    served.accept(report.serviceTime() / NANOS_PER_SECOND);
    preemptions += report.preemptions();
    neverRan += outcome.ran() ? 0 : 1;
    met += outcome.met() ? 1 : 0;
    long life = report.serviceTime() + report.waitingTime();
    if (!serviceClass.slo().isMetBy(report.serviceTime(), life)) {
      // The rounded quotient can exceed the objective by a hair.
      deficits.accept(Math.max(0, serviceClass.slo().share() - availability));
      // An unfinished request is charged for no more work than fits into its life.
      double hours = Math.min(outcome.work(), life) / NANOS_PER_HOUR;
      double cores =
          (double) outcome.request().demand().amount(Dimension.CPU) / Dimension.CPU.unitsPerWhole();
      penalty.accept(
          penalties.penalty(serviceClass, (double) report.serviceTime() / life, hours, cores));
    }
  }

  ClassResult result() {
    long count = availabilities.getCount();
    return new ClassResult(
        serviceClass.name(),
        serviceClass.slo().share(),
        count,
        defined(availabilities, Statistic.MIN),
        defined(availabilities, Statistic.MEAN),
        defined(availabilities, Statistic.MAX),
        share(count - deficits.getCount(), count),
        share(met, count),
        defined(deficits, Statistic.MEAN),
        defined(deficits, Statistic.MAX),
        neverRan,
        preemptions,
        count == 0 ? ClassResult.WaitingTimes.NONE : waitingTimes(count),
        restartOverhead.getAsDouble(),
        lostWork.getAsDouble(),
        lostService.getAsDouble(),
        served.getAsDouble(),
        penalty.getAsDouble());
  }

  private ClassResult.WaitingTimes waitingTimes(long count) {
    return new ClassResult.WaitingTimes(
        OptionalDouble.of(waited.getAsDouble() / count),
        OptionalDouble.of(waiting.getValueAtPercentile(50) / MICROS_PER_SECOND),
        OptionalDouble.of(waiting.getValueAtPercentile(95) / MICROS_PER_SECOND),
        OptionalDouble.of(longestWait / NANOS_PER_SECOND));
  }

  private static OptionalDouble share(long part, long count) {
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / count);
  }

  private static OptionalDouble defined(DoubleStatistics statistics, Statistic which) {
    return statistics.getCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(statistics.getAsDouble(which));
  }
}
