package dev.berth.simulator.fleet;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The hosts that a workload runs on: hosts present from the start of a simulation, and pools of
 * hosts that a policy can provision.
 *
 * @param name its name in reports; not blank
 * @param hosts present from the start, in the order in which they join; may be empty
 * @param pools hosts to provision; may be empty
 */
public record Infrastructure(String name, List<HostSpec> hosts, List<PoolSpec> pools) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if the name is blank, or two hosts have one id, or two pools
   *     one name
   */
  public Infrastructure {
    refuseIf(name.isBlank(), "infrastructure name was blank.");
    hosts = List.copyOf(hosts);
    Set<String> ids = new HashSet<>();
    for (HostSpec host : hosts) {
      refuseIf(!ids.add(host.id()), "infrastructure %s: host %s was given twice.", name, host.id());
    }
    pools = List.copyOf(pools);
    Set<String> names = new HashSet<>();
    for (PoolSpec pool : pools) {
      refuseIf(
          !names.add(pool.name()),
          "infrastructure %s: pool %s was given twice.",
          name,
          pool.name());
    }
  }

  /** Creates an infrastructure without pools. */
  public Infrastructure(String name, List<HostSpec> hosts) {
    this(name, hosts, List.of());
  }
}
