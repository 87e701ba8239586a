package dev.berth.simulator;

import dev.berth.api.Action;

/**
 * How often a policy did something else than place and preempt.
 *
 * @param resizes grants changed
 * @param pauses instances paused
 * @param suspensions instances suspended
 * @param resumes instances resumed
 * @param migrations instances migrated
 */
public record Adjustments(
    long resizes, long pauses, long suspensions, long resumes, long migrations) {

  /** None yet. */
  public static final Adjustments NONE = new Adjustments(0, 0, 0, 0, 0);

  /**
   * Returns these and one more; of hosts and bags nothing counts here, nor do placements,
   * preemptions and refusals.
   */
  Adjustments plus(Action action) {
    if (action instanceof Action.Place || action instanceof Action.Preempt) {
      return this; // nearly all are
    }
    return new Adjustments(
        resizes + (action instanceof Action.Resize ? 1 : 0),
        pauses + (action instanceof Action.Pause ? 1 : 0),
        suspensions + (action instanceof Action.Suspend ? 1 : 0),
        resumes + (action instanceof Action.Resume ? 1 : 0),
        migrations + (action instanceof Action.Migrate ? 1 : 0));
  }
}
