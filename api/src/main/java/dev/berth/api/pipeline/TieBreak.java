package dev.berth.api.pipeline;

import java.util.Locale;

/** Decides which of several hosts with equal allocation scores wins. */
public enum TieBreak {
  /**
   * A pseudorandom host, by the seed: {@link dev.berth.api.policy.SchedulingPass#tieBreak}. Spreads
   * equal requests.
   */
  SEEDED,
  /** The host with the first id, as in first fit. */
  BY_ID,
  /**
   * The host whose id follows that of the latest placement, and after the last host the first:
   * round robin. Before the first placement, the host with the first id.
   */
  IN_TURN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
