package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
 * @param taints the marks by which it repels instances; at most {@value HostSpec#MOST_TAINTS}, no
 *     two with the same key and effect
 */
public record HostSpec(
    String id,
    Resources capacity,
    Map<String, String> attributes,
    boolean timeShared,
    List<Taint> taints) {

  /** The maximum number of taints of a host. */
  public static final int MOST_TAINTS = 64;

  /**
   * Copies the attributes and taints.
   *
   * @throws IllegalArgumentException if {@code id} is blank, there are too many taints, or two with
   *     the same key and effect
   */
  public HostSpec {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(capacity, "capacity");
    refuseIf(id.isBlank(), "host id was blank.");
    attributes = Attributes.copy("attributes", attributes);
    Objects.requireNonNull(taints, "taints");
    for (Taint each : taints) {
      Objects.requireNonNull(each, "taint");
    }
    taints = List.copyOf(taints);
    requireDistinct(id, taints);
  }

  private static void requireDistinct(String id, List<Taint> taints) {
    refuseIf(
        taints.size() > MOST_TAINTS,
        "host %s has %s taints, must have at most %s.",
        id,
        taints.size(),
        MOST_TAINTS);
    Set<String> seen = new HashSet<>();
    for (Taint each : taints) {
      refuseIf(
          !seen.add(each.effect() + " " + each.key()),
          "host %s has two taints with the key %s and the effect %s.",
          id,
          each.key(),
          each.effect());
    }
  }

  /** Creates a host without taints. */
  public HostSpec(
      String id, Resources capacity, Map<String, String> attributes, boolean timeShared) {
    this(id, capacity, attributes, timeShared, List.of());
  }

  /** Creates a host whose CPU is not time-shared. */
  public HostSpec(String id, Resources capacity, Map<String, String> attributes) {
    this(id, capacity, attributes, false);
  }

  /** Creates a host without attributes. */
  public HostSpec(String id, Resources capacity) {
    this(id, capacity, Map.of());
  }

  /**
   * Returns whether a taint says that the host {@linkplain Taint#UNREACHABLE cannot be reached}.
   */
  public boolean isUnreachable() {
    return taints.stream().anyMatch(Taint::isUnreachable);
  }

  /** Returns this host with other taints. */
  public HostSpec withTaints(Taint... others) {
    Objects.requireNonNull(others, "others");
    return new HostSpec(id, capacity, attributes, timeShared, Arrays.asList(others));
  }
}
