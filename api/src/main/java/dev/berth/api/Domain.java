package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Objects;
import java.util.Optional;

/**
 * What counts as one place when instances are kept together or apart: a host, or all hosts with the
 * same value of an attribute, such as a zone or a rack.
 *
 * <p>A host that lacks the attribute belongs to no place of the domain. Immutable.
 *
 * @param attribute the name of the attribute; empty if each host is a place of its own
 */
public record Domain(Optional<String> attribute) {

  /** Each host is a place of its own. */
  public static final Domain HOST = new Domain(Optional.empty());

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public Domain {
    Objects.requireNonNull(attribute, "attribute");
    refuseIf(
        attribute.isPresent() && attribute.get().isBlank(),
        "domain attribute was blank, must name an attribute.");
  }

  /** Returns the domain of an attribute: hosts with the same value are one place. */
  public static Domain of(String attribute) {
    return new Domain(Optional.of(Objects.requireNonNull(attribute, "attribute")));
  }

  /** Returns the place of a host: its id or the value of the attribute; empty if it lacks that. */
  public Optional<String> placeOf(Host host) {
    Objects.requireNonNull(host, "host");
    return attribute.isEmpty() ? Optional.of(host.id()) : host.attribute(attribute.get());
  }

  /** Returns the attribute, or {@code "host"}. */
  @Override
  public String toString() {
    return attribute.orElse("host");
  }
}
