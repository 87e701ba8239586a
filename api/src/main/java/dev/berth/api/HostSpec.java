package dev.berth.api;

import java.util.Map;
import java.util.Objects;

/**
 * The description of a host that joins the cluster. Immutable.
 *
 * @param id unique among the hosts present; not blank
 * @param capacity the resources that instances may use
 * @param attributes attributes that {@linkplain Constraint placement constraints} refer to; may be
 *     empty
 * @param timeShared whether the instances on the host share its CPU. Then no instance holds CPU,
 *     the host is never full, and each further instance slows the others down. Such a host can
 *     model a whole site whose jobs share its cores
 */
public record HostSpec(
    String id, Resources capacity, Map<String, String> attributes, boolean timeShared) {

  /**
   * Copies the attributes.
   *
   * @throws IllegalArgumentException if {@code id} is blank
   */
  public HostSpec {
    Objects.requireNonNull(id, "HostSpec: id was null, must not be null.");
    Objects.requireNonNull(capacity, "HostSpec: capacity was null, must not be null.");
    if (id.isBlank()) {
      throw new IllegalArgumentException("host id was blank.");
    }
    attributes = Attributes.copy("HostSpec: attributes", attributes);
  }

  /** Creates a host whose CPU is not time-shared. */
  public HostSpec(String id, Resources capacity, Map<String, String> attributes) {
    this(id, capacity, attributes, false);
  }

  /** Creates a host without attributes. */
  public HostSpec(String id, Resources capacity) {
    this(id, capacity, Map.of());
  }
}
