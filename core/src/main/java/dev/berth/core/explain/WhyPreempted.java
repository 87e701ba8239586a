package dev.berth.core.explain;

import dev.berth.core.config.Durations;
import dev.berth.core.decision.Decision;
import java.time.Duration;
import java.util.Optional;

/**
 * Why an instance was preempted.
 *
 * @param decision the placement that it was preempted for
 * @param victim the instance as a victim of that placement
 * @param history its preemptions so far; empty if it has left the cluster
 */
public record WhyPreempted(
    Decision decision, Decision.Victim victim, Optional<PreemptionHistory> history) {

  /** Returns the explanation in words, with the history if this was not the first preemption. */
  public String describe() {
    return reason()
        + history
            .filter(each -> each.preemptions() > 1)
            .map(each -> "; " + each.describe())
            .orElse("");
  }

  private String reason() {
    String text =
        "%s was preempted at %s, in pass %s, for %s on %s"
            .formatted(
                victim.instance(),
                Durations.format(Duration.ofNanos(decision.now())),
                decision.pass(),
                decision.instance(),
                decision.host());
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
