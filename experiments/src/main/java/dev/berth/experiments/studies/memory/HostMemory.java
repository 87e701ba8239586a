package dev.berth.experiments.studies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.report.CsvText;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** The memory of a host at one time, in GB, and the states of its instances. */
record HostMemory(
    String policy,
    Duration time,
    String host,
    double capacity,
    double granted,
    double needed,
    List<InstanceState> states) {

  static HostMemory of(String policy, Duration time, Host host) {
    long capacity = host.capacity().amount(Dimension.MEMORY);
    return new HostMemory(
        policy,
        time,
        host.id(),
        gigabytes(capacity),
        gigabytes(capacity - host.free(Dimension.MEMORY)),
        gigabytes(host.instances().stream().mapToLong(HostMemory::needed).sum()),
        host.instances().stream().map(Instance::state).toList());
  }

  static CsvText csv(String name, List<HostMemory> rows) {
    return new CsvColumns<HostMemory>()
        .add("policy", HostMemory::policy)
        .add("seconds", each -> each.time().toSeconds())
        .add("host", HostMemory::host)
        .add("capacity_gb", HostMemory::capacity)
        .add("granted_gb", HostMemory::granted)
        .add("needed_gb", HostMemory::needed)
        .add("running", each -> each.count(InstanceState.RUNNING))
        .add("starting", each -> each.count(InstanceState.STARTING))
        .add("paused", each -> each.count(InstanceState.PAUSED))
        .add("suspended", each -> each.count(InstanceState.SUSPENDED))
        .of(name, rows);
  }

  private static long needed(Instance instance) {
    return instance.usage().map(each -> each.need(Dimension.MEMORY)).orElse(0L);
  }

  private int count(InstanceState state) {
    return Collections.frequency(states, state);
  }

  private static double gigabytes(long bytes) {
    return (double) bytes / Dimension.MEMORY.unitsPerWhole();
  }
}
