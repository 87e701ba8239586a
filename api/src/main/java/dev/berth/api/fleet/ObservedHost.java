package dev.berth.api.fleet;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import java.util.Objects;

/**
 * A host that is up, as a fleet reports it. Immutable.
 *
 * @param spec its id, capacity and attributes
 * @param foreign what others than its instances hold there; may be empty
 */
public record ObservedHost(HostSpec spec, Resources foreign) {

  /** Checks for null. */
  public ObservedHost {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(foreign, "foreign");
  }

  /** A host without foreign load. */
  public ObservedHost(HostSpec spec) {
    this(spec, Resources.none());
  }
}
