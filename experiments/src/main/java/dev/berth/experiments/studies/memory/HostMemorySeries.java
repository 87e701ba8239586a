package dev.berth.experiments.studies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.report.CsvText;
import dev.berth.simulator.Simulation;
import java.time.Duration;

/** The memory of every host over time, as CSV. */
final class HostMemorySeries {

  private final CsvText series;

  HostMemorySeries(String name) {
    series =
        new CsvText(
            name,
            "policy",
            "seconds",
            "host",
            "capacity_gb",
            "granted_gb",
            "needed_gb",
            "running",
            "starting",
            "paused",
            "suspended");
  }

  /** Adds a row for each host. */
  void add(String policy, Duration time, Simulation simulation) {
    for (Host host : simulation.scheduler().hosts()) {
      long capacity = host.capacity().amount(Dimension.MEMORY);
      series.row(
          policy,
          time.toSeconds(),
          host.id(),
          gigabytes(capacity),
          gigabytes(capacity - host.free(Dimension.MEMORY)),
          gigabytes(host.instances().stream().mapToLong(HostMemorySeries::needed).sum()),
          count(host, InstanceState.RUNNING),
          count(host, InstanceState.STARTING),
          count(host, InstanceState.PAUSED),
          count(host, InstanceState.SUSPENDED));
    }
  }

  CsvText csv() {
    return series;
  }

  private static long needed(Instance instance) {
    return instance.usage().map(each -> each.need(Dimension.MEMORY)).orElse(0L);
  }

  private static long count(Host host, InstanceState state) {
    return host.instances().stream().filter(each -> each.state() == state).count();
  }

  private static double gigabytes(long bytes) {
    return (double) bytes / Dimension.MEMORY.unitsPerWhole();
  }
}
