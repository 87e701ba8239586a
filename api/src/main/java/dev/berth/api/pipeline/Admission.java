package dev.berth.api.pipeline;

import java.util.Locale;

/** Decides which requests are served at all (MEMiC thesis, section 2.3). */
public enum Admission {
  /** All requests. */
  ALL,
  /**
   * Requests that can still meet their deadline. A request that was never placed is rejected when,
   * by its estimated run time, it would miss its deadline even if it started now. A request without
   * deadline or estimate is never rejected.
   */
  IN_TIME;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
