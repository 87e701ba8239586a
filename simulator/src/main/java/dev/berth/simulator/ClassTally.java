package dev.berth.simulator;

import dev.berth.api.ServiceClass;
import java.util.OptionalDouble;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;

/** Adds up what the requests of one class get; takes the same memory for any number of them. */
final class ClassTally {

  private final ServiceClass serviceClass;
  private final DoubleStatistics availabilities =
      DoubleStatistics.of(Statistic.MIN, Statistic.MEAN, Statistic.MAX);
  private final DoubleStatistics deficits = DoubleStatistics.of(Statistic.MEAN, Statistic.MAX);
  private long neverRan;
  private long preemptions;

  ClassTally(ServiceClass serviceClass) {
    this.serviceClass = serviceClass;
  }

  ServiceClass serviceClass() {
    return serviceClass;
  }

  /** Counts a request that has an availability. */
  void add(RequestOutcome outcome) {
    double availability = outcome.report().availability().orElseThrow();
    availabilities.accept(availability);
    long service = outcome.report().serviceTime();
    if (!serviceClass.slo().isMetBy(service, service + outcome.report().waitingTime())) {
      // Rounding of the quotient could leave a hair below zero.
      deficits.accept(Math.max(0, serviceClass.slo().share() - availability));
    }
    preemptions += outcome.report().preemptions();
    neverRan += outcome.ran() ? 0 : 1;
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
        count == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((double) (count - deficits.getCount()) / count),
        defined(deficits, Statistic.MEAN),
        defined(deficits, Statistic.MAX),
        neverRan,
        preemptions);
  }

  private static OptionalDouble defined(DoubleStatistics statistics, Statistic which) {
    return statistics.getCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(statistics.getAsDouble(which));
  }
}
