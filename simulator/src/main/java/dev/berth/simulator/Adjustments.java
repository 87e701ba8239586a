package dev.berth.simulator;

import dev.berth.api.Action;

/**
 * The number of actions other than placements and preemptions.
 *
 * @param resizes number of changed grants
 * @param pauses number of pauses
 * @param suspensions number of suspensions
 * @param resumes number of resumptions
 * @param migrations number of migrations
 */
public record Adjustments(
    long resizes, long pauses, long suspensions, long resumes, long migrations) {

  /** No adjustments. */
  public static final Adjustments NONE = new Adjustments(0, 0, 0, 0, 0);

  /**
   * Returns these and one more action. Placements, preemptions, rejections and actions on hosts and
   * bags do not count.
   */
  Adjustments plus(Action action) {
    if (action instanceof Action.Place || action instanceof Action.Preempt) {
      return this; // the common case
    }
    return new Adjustments(
        resizes + (action instanceof Action.Resize ? 1 : 0),
        pauses + (action instanceof Action.Pause ? 1 : 0),
        suspensions + (action instanceof Action.Suspend ? 1 : 0),
        resumes + (action instanceof Action.Resume ? 1 : 0),
        migrations + (action instanceof Action.Migrate ? 1 : 0));
  }
}
