package dev.berth.policies.baselines;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import java.time.Duration;

/**
 * Settings of {@code bin-packing}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 */
record BinPackingConfig(
    @Described(value = "longest time between two scheduling passes", range = "above 0s")
        Duration watchdog) {

  /** Checks the range. */
  BinPackingConfig {
    refuseIf(watchdog.isNegative() || watchdog.isZero(), "watchdog must be positive");
  }
}
