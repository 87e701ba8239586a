package dev.berth.kubernetes.reproduction;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The figures of a service class. Availabilities are empty if no request was admitted.
 *
 * @param requests requests that were admitted
 * @param sloMet the share of them that met the objective
 * @param preempted preemptions of running pods
 */
record PodFigures(
    String serviceClass,
    int requests,
    OptionalDouble min,
    OptionalDouble mean,
    OptionalDouble max,
    OptionalDouble sloMet,
    int preempted) {

  static PodFigures of(String serviceClass, PodAccounting.Figures figures) {
    List<PodAccounting.RequestFigures> requests =
        figures.requests().stream()
            .filter(each -> each.serviceClass().equals(serviceClass))
            .toList();
    double[] availabilities =
        requests.stream()
            .filter(each -> each.availability().isPresent())
            .mapToDouble(each -> each.availability().orElseThrow())
            .sorted()
            .toArray();
    int count = availabilities.length;
    double slo = Validation.slo(serviceClass);
    int met = 0;
    double sum = 0;
    for (double each : availabilities) {
      met += each >= slo ? 1 : 0;
      sum += each;
    }
    boolean isEmpty = count == 0;
    return new PodFigures(
        serviceClass,
        requests.size(),
        isEmpty ? OptionalDouble.empty() : OptionalDouble.of(availabilities[0]),
        isEmpty ? OptionalDouble.empty() : OptionalDouble.of(sum / count),
        isEmpty ? OptionalDouble.empty() : OptionalDouble.of(availabilities[count - 1]),
        isEmpty ? OptionalDouble.empty() : OptionalDouble.of((double) met / count),
        requests.stream().mapToInt(PodAccounting.RequestFigures::preemptedRunning).sum());
  }
}
