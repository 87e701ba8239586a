package dev.berth.benchmarks.queue;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.traces.Readers;
import java.util.ArrayList;
import java.util.List;

/**
 * One measurement.
 *
 * @param log the path of the log
 * @param hosts the path of its hosts; or the number of hosts and of cores of each, like {@code
 *     1x100}, with more memory than any job needs
 * @param policy the id of the policy
 * @param config its configuration in JSON
 * @param watchdog the longest time between two passes, like {@code 30s}; empty: that of the policy
 */
record QueueMeasurement(String log, String hosts, String policy, String config, String watchdog) {

  private static final long PLENTY = 1L << 60;
  private static final String COUNT = "[0-9]{1,6}x[0-9]{1,6}";

  /** Reads the arguments of a virtual machine. */
  static QueueMeasurement of(String[] args) {
    return new QueueMeasurement(args[0], args[1], args[2], args[3], args[4]);
  }

  /** Returns the arguments of a virtual machine. */
  List<String> arguments() {
    return List.of(log, hosts, policy, config, watchdog);
  }

  /** Reads or makes the hosts. */
  Infrastructure infrastructure() {
    if (!hosts.matches(COUNT)) {
      return Readers.infrastructure(hosts);
    }
    int by = hosts.indexOf('x');
    long cores = Long.parseLong(hosts.substring(by + 1));
    Resources capacity =
        Resources.of(
            Dimension.CPU, cores * Dimension.CPU.unitsPerWhole(), Dimension.MEMORY, PLENTY);
    List<HostSpec> specs = new ArrayList<>();
    for (int i = 1; i <= Integer.parseInt(hosts.substring(0, by)); i++) {
      specs.add(new HostSpec("host-" + i, capacity));
    }
    return new Infrastructure(hosts, specs);
  }
}
