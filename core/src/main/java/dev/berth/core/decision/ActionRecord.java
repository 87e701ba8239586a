package dev.berth.core.decision;

import dev.berth.api.Experimental;
import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.core.config.Durations;
import java.time.Duration;

/**
 * An action of a pass other than a placement or a preemption, with its reason. The pass resized,
 * paused, suspended, resumed, migrated, rejected or stopped an instance, provided or released
 * hosts, or assigned or cancelled a bag of tasks.
 *
 * @param pass number of the pass
 * @param now time of the pass
 * @param action the action
 * @param why the reason of the policy or the engine
 */
@Experimental
public record ActionRecord(long pass, long now, Action action, Reason why) {

  /** Returns the action and its reason in words. */
  public String describe() {
    return "%s at %s, in pass %s: %s"
        .formatted(
            withoutWhy(action), Durations.format(Duration.ofNanos(now)), pass, why.describe());
  }

  private static String withoutWhy(Action action) {
    if (action instanceof Action.Reject reject) {
      return "reject " + reject.instance();
    }
    if (action instanceof Action.Stop stop) {
      return "stop %s on %s".formatted(stop.instance(), stop.host());
    }
    return action instanceof Action.Cancel cancel
        ? "cancel bag " + cancel.bag()
        : action.describe();
  }
}
