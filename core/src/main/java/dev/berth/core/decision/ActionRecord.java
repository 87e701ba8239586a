package dev.berth.core.decision;

import dev.berth.api.Action;
import dev.berth.api.Reason;
import dev.berth.core.config.Durations;
import java.time.Duration;

/**
 * Something done that is not a placement or a preemption: an instance was resized, paused,
 * suspended, resumed, migrated or refused; hosts were asked for or given back; a bag of tasks was
 * assigned or cancelled.
 *
 * @param pass number of the pass
 * @param now time of the pass
 * @param action what was done
 * @param why what the policy said
 */
public record ActionRecord(long pass, long now, Action action, Reason why) {

  /** Returns it in words. */
  public String describe() {
    return "%s at %s, in pass %s: %s"
        .formatted(
            withoutWhy(action), Durations.format(Duration.ofNanos(now)), pass, why.describe());
  }

  private static String withoutWhy(Action action) {
    if (action instanceof Action.Reject reject) {
      return "reject " + reject.instance();
    }
    return action instanceof Action.Cancel cancel
        ? "cancel bag " + cancel.bag()
        : action.describe();
  }
}
