package dev.berth.kubernetes.reproduction;

import java.util.Arrays;
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
        requests.stream().flatMapToDouble(each -> each.availability().stream()).toArray();
    double slo = Validation.slo(serviceClass);
    return new PodFigures(
        serviceClass,
        requests.size(),
        Arrays.stream(availabilities).min(),
        Arrays.stream(availabilities).average(),
        Arrays.stream(availabilities).max(),
        Arrays.stream(availabilities).map(each -> each >= slo ? 1 : 0).average(),
        requests.stream().mapToInt(PodAccounting.RequestFigures::preemptedRunning).sum());
  }
}
