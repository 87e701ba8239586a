package dev.berth.simulator.workload;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.ServiceClass;
import java.util.List;
import java.util.OptionalLong;

/** See {@link Workload#of}. */
record InMemoryWorkload(String name, List<ServiceClass> serviceClasses, List<Arrival> arrivals)
    implements Workload {

  InMemoryWorkload {
    refuseIf(name.isBlank(), "workload name was blank.");
    for (int i = 1; i < arrivals.size(); i++) {
      if (arrivals.get(i).at() < arrivals.get(i - 1).at()) {
        throw new IllegalArgumentException(
            "workload %s: %s is listed after one that arrives later. %s"
                .formatted(name, arrivals.get(i), "Arrivals must be in order of time."));
      }
    }
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of(arrivals.size());
  }

  @Override
  public ArrivalSource open() {
    return ArrivalSource.of(arrivals.iterator(), () -> {});
  }
}
