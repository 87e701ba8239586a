package dev.berth.core.explain;

import dev.berth.core.config.Durations;
import dev.berth.core.decision.Decision;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Why an instance is on its host.
 *
 * @param decision the placement
 * @param hosts the number of hosts now
 */
public record WhyHere(Decision decision, int hosts) {

  /** Returns the explanation in words. */
  public String describe() {
    String text =
        "%s was placed on %s at %s, in pass %s"
            .formatted(
                decision.instance(),
                decision.host(),
                Durations.format(Duration.ofNanos(decision.now())),
                decision.pass());
    if (decision.allocationScore().isEmpty()) {
      return text + victims();
    }
    String score = String.format(Locale.ROOT, "%.4f", decision.allocationScore().getAsDouble());
    if (decision.victims().isEmpty()) {
      text +=
          ": best allocation score ("
              + score
              + ") of "
              + counted(decision.roomyHosts())
              + " with room";
    } else {
      text +=
          ": no host had room, and of %s with eligible victims it had the least preemption cost (allocation score %s)"
              .formatted(counted(decision.contestedHosts()), score);
    }
    return text + victims() + runnersUp();
  }

  /** Returns the number of hosts in words; unknown unless every host was evaluated. */
  static String counted(int hosts) {
    return hosts == -1 ? "those" : "the " + hosts;
  }

  private String victims() {
    return decision.victims().isEmpty()
        ? ""
        : decision.victims().stream()
            .map(
                victim ->
                    victim.instance() + (victim.why().isEmpty() ? "" : " (" + victim.why() + ")"))
            .collect(Collectors.joining(", ", "; preempting ", ""));
  }

  private String runnersUp() {
    return decision.top().isEmpty()
        ? ""
        : decision.top().stream()
            .map(
                each ->
                    "%s %s%s"
                        .formatted(
                            each.host(),
                            each.cost().isEmpty() ? "" : "cost " + each.cost() + " ",
                            String.format(Locale.ROOT, "%.4f", each.allocationScore())))
            .collect(Collectors.joining(", ", "; best hosts: ", ""));
  }
}
