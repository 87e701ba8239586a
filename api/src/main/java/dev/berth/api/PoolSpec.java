package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The offer of a provider: up to a number of hosts of one kind, which a policy can request and
 * release. Immutable.
 *
 * @param name unique among the pools; not blank
 * @param capacity the resources of each host that instances may use
 * @param attributes attributes of each host; may be empty
 * @param limit maximum number of hosts at one time, including those that start or stop; not
 *     negative
 * @param startDelay usual time from the request of a host until it is up; not negative
 * @param stopDelay usual time from the release of a host until it is gone; not negative
 */
@Experimental
public record PoolSpec(
    String name,
    Resources capacity,
    Map<String, String> attributes,
    int limit,
    Duration startDelay,
    Duration stopDelay) {

  /**
   * Copies the attributes.
   *
   * @throws IllegalArgumentException if the name is blank or a number is negative
   */
  public PoolSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(capacity, "capacity");
    Objects.requireNonNull(startDelay, "startDelay");
    Objects.requireNonNull(stopDelay, "stopDelay");
    refuseIf(name.isBlank(), "pool name was blank.");
    refuseIf(limit < 0, "pool %s: limit was %s, must not be negative.", name, limit);
    requireNotNegative(name, "start delay", startDelay);
    requireNotNegative(name, "stop delay", stopDelay);
    attributes = Attributes.copy("attributes", attributes);
  }

  /** Creates a pool of hosts without attributes and delays. */
  public PoolSpec(String name, Resources capacity, int limit) {
    this(name, capacity, Map.of(), limit, Duration.ZERO, Duration.ZERO);
  }

  /** Returns the description of a host of this pool, for reporting it up. */
  public HostSpec host(String id) {
    return new HostSpec(id, capacity, attributes);
  }

  private static void requireNotNegative(String name, String what, Duration delay) {
    refuseIf(delay.isNegative(), "pool %s: %s was %s, must not be negative.", name, what, delay);
  }
}
