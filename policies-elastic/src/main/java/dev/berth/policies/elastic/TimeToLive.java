package dev.berth.policies.elastic;

import java.util.Locale;

/** The rules for when a bag of tasks is cancelled. */
enum TimeToLive {
  /**
   * Eq. 3.8: its walltime over its hosts, plus a slack. Too short for long tasks: 150 tasks of 10
   * minutes on 59 hosts need three rounds of 10 minutes, but get 26 minutes and 25 seconds.
   */
  PUBLISHED,
  /**
   * An upper bound if the estimates are right: Graham's bound, plus the usual start time of a host,
   * plus a slack.
   */
  MAKESPAN;

  /** Returns it in lower case, as configurations have it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
