package dev.berth.core.explain;

import dev.berth.core.config.Durations;
import dev.berth.core.decision.Decision;
import java.time.Duration;

/**
 * Why an instance was preempted.
 *
 * @param decision the placement that it was preempted for
 * @param victim the instance as a victim of that placement
 */
public record WhyPreempted(Decision decision, Decision.Victim victim) {

  /** Returns the explanation in words. */
  public String describe() {
    String text =
        "%s was preempted on %s at %s, in pass %s, for %s"
            .formatted(
                victim.instance(),
                decision.host(),
                Durations.format(Duration.ofNanos(decision.now())),
                decision.pass(),
                decision.instance());
    if (victim.why().isEmpty()) {
      return text;
    }
    return text
        + ": "
        + victim.why()
        + "; no host had room, and of %s with eligible victims this one was cheapest"
            .formatted(WhyHere.counted(decision.contestedHosts()));
  }
}
