package dev.berth.api;

import java.util.Objects;

/**
 * What an instance was measured to use at one moment, as its embedder reports it.
 *
 * @param at when it was measured, on the scheduler's time line
 * @param used what it uses of what it is granted
 * @param shortfall what it would use on top if it were granted more; of memory, what it keeps in
 *     swap. Nothing in dimensions of which it has enough
 */
public record Usage(long at, Resources used, Resources shortfall) {

  /** Checks that nothing is missing. */
  public Usage {
    Objects.requireNonNull(used, "used");
    Objects.requireNonNull(shortfall, "shortfall");
  }

  /**
   * Returns what it needs in a dimension: what it uses and what it lacks; {@link Long#MAX_VALUE} if
   * that is beyond counting.
   */
  public long need(Dimension dimension) {
    long need = used.amount(dimension) + shortfall.amount(dimension);
    return need < 0 ? Long.MAX_VALUE : need; // neither is negative
  }
}
