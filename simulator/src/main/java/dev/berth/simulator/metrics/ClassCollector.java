package dev.berth.simulator.metrics;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceReport;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.PenaltyTable;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.apache.commons.statistics.descriptive.Sum;

/** Measures one class: its requests as they end, and those active in the present interval. */
final class ClassCollector {

  private static final double NANOS = 1e9;
  private static final double NANOS_OF_HOUR = 3600e9;
  private static final long MICRO = 1000;
  private static final int DIGITS = 3;

  private final ServiceClass serviceClass;
  private final PenaltyTable penalties;
  private final Histogram waiting = new Histogram(DIGITS); // in microseconds
  private final Sum waited = Sum.create();
  private final Sum restarts = Sum.create();
  private final Sum served = Sum.create();
  private final Sum penalty = Sum.create();
  private long longest;
  private long ended;

  private double[] active = new double[64]; // availabilities
  private int count;
  private int fulfilled;

  ClassCollector(ServiceClass serviceClass, PenaltyTable penalties) {
    this.serviceClass = serviceClass;
    this.penalties = penalties;
  }

  ServiceClass serviceClass() {
    return serviceClass;
  }

  /** Counts a request that has an availability, at its end. */
  void ended(RequestOutcome outcome) {
    InstanceReport sli = outcome.report();
    ended++;
    waiting.recordValue(sli.waitingTime() / MICRO);
    waited.accept(sli.waitingTime() / NANOS);
    longest = Math.max(longest, sli.waitingTime());
    restarts.accept(sli.restartOverhead() / NANOS);
    served.accept(sli.serviceTime() / NANOS);
    long life = sli.serviceTime() + sli.waitingTime();
    if (!serviceClass.slo().isMetBy(sli.serviceTime(), life)) {
      // Of one that was not completed, no more counts than could have been done in its life.
      double hours = Math.min(outcome.work(), life) / NANOS_OF_HOUR;
      double cores =
          (double) outcome.request().demand().amount(Dimension.CPU) / Dimension.CPU.unitsPerWhole();
      penalty.accept(
          penalties.penalty(serviceClass, (double) sli.serviceTime() / life, hours, cores));
    }
  }

  /** Counts a request as active in the present interval. */
  void active(long service, long life) {
    if (life == 0) {
      return; // admitted this instant
    }
    if (count == active.length) {
      active = Arrays.copyOf(active, 2 * count);
    }
    active[count++] = (double) service / life;
    fulfilled += serviceClass.slo().isMetBy(service, life) ? 1 : 0;
  }

  /** Ends the present interval. */
  ClassInterval interval() {
    double sum = 0;
    double weighted = 0;
    Arrays.sort(active, 0, count);
    for (int i = 0; i < count; i++) {
      sum += active[i];
      weighted += (i + 1) * active[i];
    }
    double gini = sum == 0 ? 0 : 2 * weighted / (count * sum) - (count + 1.0) / count;
    ClassInterval result =
        count == 0
            ? new ClassInterval(serviceClass.name(), 0, 0, 0, 0, 0, 0)
            : new ClassInterval(
                serviceClass.name(),
                count,
                active[0],
                active[count - 1],
                sum / count,
                Math.max(0, gini),
                (double) fulfilled / count);
    count = 0;
    fulfilled = 0;
    return result;
  }

  ClassMetrics result() {
    return new ClassMetrics(
        serviceClass.name(),
        ended == 0 ? 0 : waited.getAsDouble() / ended,
        waiting.getValueAtPercentile(50) / 1e6,
        waiting.getValueAtPercentile(95) / 1e6,
        longest / NANOS,
        restarts.getAsDouble(),
        served.getAsDouble(),
        penalty.getAsDouble());
  }
}
