package dev.berth.simulator.result;

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
}
