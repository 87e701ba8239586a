package dev.berth.api.pipeline;

import dev.berth.api.policy.SchedulingPass;
import java.util.Locale;

/** Which of several hosts of equal allocation score wins. */
public enum TieBreak {
  /** One by the luck of the seed: {@link SchedulingPass#tieBreak}. Spreads what is alike. */
  SEEDED,
  /** The one whose id comes first: what makes first fit first fit. */
  BY_ID,
  /**
   * The one whose id comes next after the host of the latest placement, and after the last the
   * first again: round robin. Where nobody was placed yet, the first.
   */
  IN_TURN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
