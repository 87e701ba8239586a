package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reads whole public traces. */
final class PublicTraces {

  private PublicTraces() {}

  static double share(List<Arrival> arrivals, Predicate<Arrival> which) {
    return arrivals.stream().filter(which).count() / (double) arrivals.size();
  }

  static long total(Infrastructure infrastructure, Dimension dimension) {
    return infrastructure.hosts().stream()
        .mapToLong(each -> each.capacity().amount(dimension))
        .sum();
  }

  static Infrastructure infrastructure(String path) {
    return Readers.infrastructure(SharedData.require(path).toString());
  }

  static FileWorkload workload(String path) {
    return Readers.workload(
        SharedData.require(path).toString(),
        ServiceClasses.goldSilverBronze(Duration.ofSeconds(30)));
  }

  static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
