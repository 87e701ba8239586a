package dev.berth.api;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a provider offers: hosts of one kind, up to a number, that a policy may ask for and give
 * back.
 *
 * @param name unique among the pools; not blank
 * @param capacity what instances may use of each of its hosts
 * @param attributes of each of its hosts; may be empty
 * @param limit how many there may be at one time, those that start or stop included; not negative
 * @param startDelay how long it usually takes until a host that was asked for is up; not negative
 * @param stopDelay how long it usually takes until a host that was given back is gone; not negative
 */
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
    Objects.requireNonNull(capacity, "capacity");
    if (name.isBlank()) {
      throw new IllegalArgumentException("pool name was blank.");
    }
    if (limit < 0) {
      throw new IllegalArgumentException(
          "pool %s: limit was %s, must not be negative.".formatted(name, limit));
    }
    requireNotNegative(name, "start delay", startDelay);
    requireNotNegative(name, "stop delay", stopDelay);
    attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
  }

  /** A pool of hosts without attributes, whose delays are not known. */
  public PoolSpec(String name, Resources capacity, int limit) {
    this(name, capacity, Map.of(), limit, Duration.ZERO, Duration.ZERO);
  }

  /** Returns the description of one of its hosts, for when it is reported up. */
  public HostSpec host(String id) {
    return new HostSpec(id, capacity, attributes);
  }

  private static void requireNotNegative(String name, String what, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException(
          "pool %s: %s was %s, must not be negative.".formatted(name, what, delay));
    }
  }
}
