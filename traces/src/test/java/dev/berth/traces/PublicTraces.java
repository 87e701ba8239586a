package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Workload;
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
