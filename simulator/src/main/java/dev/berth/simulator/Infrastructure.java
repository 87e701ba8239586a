package dev.berth.simulator;

import dev.berth.api.HostSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The hosts that a workload runs on; all of them are there from the start of a simulation.
 *
 * @param name what reports call it; not blank
 * @param hosts in the order in which they join
 */
public record Infrastructure(String name, List<HostSpec> hosts) {

  /**
   * Copies the hosts.
   *
   * @throws IllegalArgumentException if the name is blank or two hosts have one id
   */
  public Infrastructure {
    if (name.isBlank()) {
      throw new IllegalArgumentException("infrastructure name was blank.");
    }
    hosts = List.copyOf(hosts);
    Set<String> ids = new HashSet<>();
    for (HostSpec host : hosts) {
      if (!ids.add(host.id())) {
        throw new IllegalArgumentException(
            "infrastructure %s: host %s was given twice.".formatted(name, host.id()));
      }
    }
  }
}
