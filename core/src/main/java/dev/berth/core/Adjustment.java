package dev.berth.core;

import dev.berth.api.Action;
import dev.berth.api.Reason;
import dev.berth.core.config.Durations;
import java.time.Duration;

/**
 * Something done to an instance that is not a placement or a preemption: it was resized, paused,
 * suspended, resumed, migrated or refused.
 *
 * @param pass number of the pass
 * @param now time of the pass
 * @param action what was done
 * @param why what the policy said
 */
public record Adjustment(long pass, long now, Action action, Reason why) {

  /** Returns it in words. */
  public String describe() {
    return "%s at %s, in pass %s: %s"
        .formatted(
            action instanceof Action.Refuse refuse
                ? "refuse " + refuse.instance()
                : action.describe(),
            Durations.format(Duration.ofNanos(now)),
            pass,
            why.describe());
  }
}
