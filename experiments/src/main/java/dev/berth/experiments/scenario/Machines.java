package dev.berth.experiments.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.Infrastructure;
import java.util.List;
import java.util.stream.IntStream;

/** What the scenarios' requests ask for and their hosts have. */
final class Machines {
  private Machines() {}

  static Resources cores(long count) {
    return Resources.of(Dimension.CPU, count * Dimension.CPU.unitsPerWhole());
  }

  static Resources of(long cores, long memory) {
    return Resources.of(
        Dimension.CPU, cores * Dimension.CPU.unitsPerWhole(), Dimension.MEMORY, memory);
  }

  /** A single host with that many cores. */
  static Infrastructure pool(int cores) {
    return new Infrastructure(cores + " cores", List.of(new HostSpec("pool", cores(cores))));
  }

  /** Hosts that differ only in their numbers, from 1 on. */
  static List<HostSpec> alike(String prefix, int count, Resources capacity) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> new HostSpec(prefix + number, capacity))
        .toList();
  }
}
