package dev.berth.api;

import java.util.Objects;

/**
 * A usage report: the resources that an instance used at one moment. Immutable.
 *
 * @param at when it was measured, in scheduler time
 * @param used the part of its grant that it uses
 * @param shortfall the amounts that it would use in addition to its grant; for memory, the amount
 *     in swap. Zero in dimensions in which its grant suffices
 */
public record Usage(long at, Resources used, Resources shortfall) {

  /** Checks for null. */
  public Usage {
    Objects.requireNonNull(used, "used");
    Objects.requireNonNull(shortfall, "shortfall");
  }

  /**
   * Returns the need in a dimension: used plus shortfall, in units; {@link Long#MAX_VALUE} on
   * overflow.
   */
  public long need(Dimension dimension) {
    long need = used.amount(dimension) + shortfall.amount(dimension);
    return need < 0 ? Long.MAX_VALUE : need; // an overflow, since neither is negative
  }
}
