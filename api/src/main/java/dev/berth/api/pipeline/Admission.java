package dev.berth.api.pipeline;

import java.util.Locale;

/** Which requests are served at all (MEMiC thesis, section 2.3). */
public enum Admission {
  /** All. */
  ALL,
  /**
   * Those that can still meet their deadline: a request that has never been placed is refused when,
   * by its estimated run time, it would miss its deadline even if it started now. One without
   * deadline or estimate is never refused.
   */
  IN_TIME;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
