package dev.berth.traces.prepare;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Small workloads with users. */
final class UserWorkloads {

  static final long SECOND = 1_000_000_000L;
  static final long WHOLE = 1_000_000_000L;

  private UserWorkloads() {}

  /** In seconds, cores and gigabytes; an empty user means none. */
  static Arrival request(
      String id,
      String serviceClass,
      String user,
      double at,
      double runs,
      double cpu,
      double memory) {
    Request.Builder builder =
        Request.builder(id, serviceClass).demand(cpuAndMemory(cpu, memory)).job("job");
    if (!user.isEmpty()) {
      builder.user(user);
    }
    Request request = builder.build();
    return new Arrival(
        Math.round(at * SECOND),
        request,
        Math.round(runs * SECOND),
        ActualBehaviour.asSaid(request));
  }

  static Resources cpuAndMemory(double cpu, double memory) {
    return Resources.of(
        Dimension.CPU, Math.round(cpu * WHOLE), Dimension.MEMORY, Math.round(memory * WHOLE));
  }

  static Workload workload(List<Arrival> arrivals) {
    return Workload.of(
        "test",
        ServiceClasses.goldSilverBronze(Duration.ZERO),
        arrivals.stream().sorted(Comparator.comparingLong(Arrival::at)).toList());
  }

  static List<Arrival> read(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
