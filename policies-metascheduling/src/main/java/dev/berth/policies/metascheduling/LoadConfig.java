package dev.berth.policies.metascheduling;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.HostLoad;
import java.time.Duration;

/**
 * Settings of {@code lottery-with-load}, {@code wall-time-estimated} and {@code
 * power-of-two-choices}.
 *
 * @param estimate whether to estimate the load that reports do not include yet (Eq. 6); default
 *     true. If false, loads count as reported
 * @param window period of the reported averages, from 1 ms to 1 min; default 1 min (section 3.2).
 *     Used only with an estimate
 */
record LoadConfig(
    @Described("whether the load that reports do not include yet is estimated") boolean estimate,
    @Described(
            value = "period of the reported averages; it has an effect only with an estimate",
            range = "from 1ms to 1m")
        Duration window) {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The settings of the paper. */
  public static final LoadConfig DEFAULT = new LoadConfig(true, HostLoad.WINDOW);

  /** Checks the ranges. */
  LoadConfig {
    refuseIf(
        window.compareTo(SHORTEST) < 0 || window.compareTo(HostLoad.WINDOW) > 0,
        "window must be from 1ms to 1m");
  }

  LoadEstimate estimator() {
    return estimate ? LoadEstimate.over(window) : LoadEstimate.asReported();
  }
}
