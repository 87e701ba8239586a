package dev.berth.kubernetes.lab;

import java.time.Duration;
import java.util.Optional;

/**
 * What happens to a pod once it is bound to a fake node.
 *
 * @param startup from the time the node learns of the pod until the pod is ready, or has failed
 * @param fails whether the pod fails instead of becoming ready
 * @param runTime from being ready until the pod completes; empty if it runs until it is deleted
 * @param stop from the request to end until the pod is gone; the grace period of the pod, if that
 *     is shorter
 */
public record PodFate(Duration startup, boolean fails, Optional<Duration> runTime, Duration stop) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a duration is negative
   */
  public PodFate {
    if (startup.isNegative()
        || stop.isNegative()
        || runTime.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException(
          "PodFate: no duration may be negative: startup %s, run time %s, stop %s"
              .formatted(startup, runTime, stop));
    }
  }
}
