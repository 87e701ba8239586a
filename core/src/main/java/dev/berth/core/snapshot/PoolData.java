package dev.berth.core.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A pool and its hosts that are not up. {@link HostData#pool} names that of each host that is.
 *
 * @param name its name
 * @param offered its number in the order of first offers, unique
 * @param capacity capacity of its hosts
 * @param attributes attributes of its hosts
 * @param limit the most hosts offered
 * @param startDelay how long a host takes to start
 * @param stopDelay how long a host takes to stop
 * @param numbered the last number that the name of a host got
 * @param failures number of hosts in a row that did not start
 * @param lastFailureAt when a host last failed to start, if ever
 * @param starting the hosts that start, in order of number
 * @param stopping ids of the hosts that were released and are not gone, in order of release
 */
public record PoolData(
    String name,
    int offered,
    Map<String, Long> capacity,
    Map<String, String> attributes,
    int limit,
    long startDelay,
    long stopDelay,
    int numbered,
    int failures,
    OptionalLong lastFailureAt,
    List<StartingHost> starting,
    List<String> stopping) {

  /** Copies the collections. */
  public PoolData {
    capacity = Plain.sorted(capacity);
    attributes = Plain.sorted(attributes);
    starting = List.copyOf(starting);
    stopping = List.copyOf(stopping);
  }

  /**
   * A host that a plan requested and that is not up.
   *
   * @param id its id
   * @param number its number in the pool
   * @param cluster the cluster that it was requested for, if any
   * @param expiresAt when it expires, if ever
   */
  public record StartingHost(
      String id, int number, Optional<String> cluster, OptionalLong expiresAt) {}
}
