package dev.berth.policies.qos;

import java.time.Duration;

/**
 * Settings of {@code bin-packing}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 */
public record BinPackingConfig(Duration watchdog) {

  /** Checks the range. */
  public BinPackingConfig {
    Checks.positive("watchdog", watchdog);
  }
}
