package dev.berth.api;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A host as the embedder describes it when it joins.
 *
 * @param id unique among the hosts present; not blank
 * @param capacity what instances may use of it
 * @param attributes facts that {@linkplain Constraint placement constraints} refer to; may be empty
 * @param timeShared whether the CPU is shared by whoever is there, each more making the others
 *     slower: then nobody holds any of it, and it is never full. Such a host may stand for a whole
 *     site with cores, which shares them among its jobs.
 */
public record HostSpec(
    String id, Resources capacity, Map<String, String> attributes, boolean timeShared) {

  /**
   * Copies the attributes.
   *
   * @throws IllegalArgumentException if {@code id} is blank
   */
  public HostSpec {
    Objects.requireNonNull(capacity, "capacity");
    if (id.isBlank()) {
      throw new IllegalArgumentException("host id was blank.");
    }
    attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
  }

  /** A host whose CPU is held by who is granted it. */
  public HostSpec(String id, Resources capacity, Map<String, String> attributes) {
    this(id, capacity, attributes, false);
  }

  /** A host without attributes. */
  public HostSpec(String id, Resources capacity) {
    this(id, capacity, Map.of());
  }
}
