package dev.berth.policies.baselines;

import java.time.Duration;

/**
 * Settings of {@code bin-packing}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 */
record BinPackingConfig(Duration watchdog) {

  /** Checks the range. */
  BinPackingConfig {
    if (watchdog.isNegative() || watchdog.isZero()) {
      throw new IllegalArgumentException("watchdog must be positive");
    }
  }
}
