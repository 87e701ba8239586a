package dev.berth.core;

import org.jspecify.annotations.Nullable;

/**
 * Begins the events for JFR, the flight recorder of the JDK. Allocates nothing while no recording
 * wants them. In a JVM without the module {@code jdk.jfr} there are none.
 */
final class FlightRecords {

  private static final boolean AVAILABLE =
      ModuleLayer.boot().findModule("jdk.jfr").isPresent(); // an image may lack it

  private FlightRecords() {}

  /** Begins the record of a pass, or returns null if none is wanted. */
  static @Nullable PassRecord beginPass() {
    return AVAILABLE ? PassRecord.beginIfEnabled() : null;
  }

  /** Begins the record of an event, or returns null if none is wanted. */
  static @Nullable EventRecord beginEvent() {
    return AVAILABLE ? EventRecord.beginIfEnabled() : null;
  }
}
