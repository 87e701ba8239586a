package dev.berth.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Begins the events for JFR, the flight recorder of the JDK. Allocates nothing while no recording
 * wants them. In a JVM without the module {@code jdk.jfr} there are none.
 */
final class FlightRecords {

  private static final boolean AVAILABLE =
      ModuleLayer.boot().findModule("jdk.jfr").isPresent(); // an image may lack it

  private FlightRecords() {}

  /** Begins the record of a force of the journal, or returns null if none is wanted. */
  static @Nullable ForceRecord beginForce() {
    return AVAILABLE ? ForceRecord.beginIfEnabled() : null;
  }

  /** Begins the record of a reconciliation, or returns null if none is wanted. */
  static @Nullable ReconcileRecord beginReconcile() {
    return AVAILABLE ? ReconcileRecord.beginIfEnabled() : null;
  }
}
