package dev.berth.policies.qos;

import java.time.Duration;

/**
 * Settings of {@code best-fit}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 */
public record BestFitConfig(Duration watchdog) {

  /** Checks the range. */
  public BestFitConfig {
    Checks.positive("watchdog", watchdog);
  }
}
