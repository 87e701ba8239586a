package dev.berth.simulator.metrics;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.util.Arrays;
import java.util.OptionalDouble;

/** The requests of one class that are active in the present interval. */
final class ActiveRequests {

  private final ServiceClass serviceClass;
  private double[] availabilities = new double[64];
  private int count;
  private int fulfilled;
  private int served;
  private int met;

  ActiveRequests(ServiceClass serviceClass) {
    this.serviceClass = serviceClass;
  }

  ServiceClass serviceClass() {
    return serviceClass;
  }

  /**
   * Adds a request; one that was admitted at this instant has no availability and is left out.
   *
   * @param undisturbed whether it was placed when it was admitted, and has kept its host
   */
  void add(long service, long life, boolean undisturbed) {
    if (life == 0) {
      return;
    }
    if (count == availabilities.length) {
      availabilities = Arrays.copyOf(availabilities, 2 * count);
    }
    availabilities[count++] = (double) service / life;
    boolean isMet = serviceClass.slo().isMetBy(service, life);
    fulfilled += isMet ? 1 : 0;
    served += undisturbed || service == life ? 1 : 0;
    met += undisturbed || isMet ? 1 : 0;
  }

  /** Returns the figures of the present interval and begins the next. */
  ClassInterval endInterval() {
    ClassInterval figures = count == 0 ? ClassInterval.inactive(serviceClass.name()) : figures();
    count = 0;
    fulfilled = 0;
    served = 0;
    met = 0;
    return figures;
  }

  private ClassInterval figures() {
    double sum = 0;
    double weighted = 0;
    Arrays.sort(availabilities, 0, count);
    for (int i = 0; i < count; i++) {
      sum += availabilities[i];
      weighted += (i + 1) * availabilities[i];
    }
    double gini = sum == 0 ? 0 : 2 * weighted / (count * sum) - (count + 1.0) / count;
    return new ClassInterval(
        serviceClass.name(),
        count,
        OptionalDouble.of(availabilities[0]),
        OptionalDouble.of(availabilities[count - 1]),
        OptionalDouble.of(sum / count),
        OptionalDouble.of(Math.max(0, gini)), // rounding can leave a hair below zero
        OptionalDouble.of((double) fulfilled / count),
        OptionalDouble.of((double) served / count),
        OptionalDouble.of((double) met / count));
  }
}
