package dev.berth.policies.metascheduling;

import dev.berth.api.HostLoad;
import java.time.Duration;

/**
 * Settings of {@code lottery-with-load}, {@code wall-time-estimated} and {@code
 * power-of-two-choices}.
 *
 * @param estimate whether what reports of load have not seen yet is estimated (Eq. 6); default
 *     true. False: loads as they were reported
 * @param window what reported averages are taken over, from 1 ms to 1 min; default 1 min (section
 *     3.2). Only of interest with an estimate
 */
record LoadConfig(boolean estimate, Duration window) {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The paper's settings. */
  public static final LoadConfig DEFAULT = new LoadConfig(true, HostLoad.WINDOW);

  /** Checks the ranges. */
  LoadConfig {
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(HostLoad.WINDOW) > 0) {
      throw new IllegalArgumentException("window must be from 1ms to 1m");
    }
  }

  LoadEstimate estimator() {
    return estimate ? LoadEstimate.over(window) : LoadEstimate.asReported();
  }
}
