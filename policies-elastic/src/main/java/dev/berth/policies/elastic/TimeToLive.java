package dev.berth.policies.elastic;

import java.util.Locale;

/** After what time a bag of tasks is cancelled. */
public enum TimeToLive {
  /**
   * Eq. 3.8: its walltime over its hosts, and a slack. Too short where tasks are long: 150 tasks of
   * 10 minutes on 59 hosts take three turns of 10 minutes, and are given 26 minutes and 25 seconds.
   */
  PUBLISHED,
  /**
   * What it takes at most if its estimates are right: Graham's bound, what starting a host usually
   * takes, and a slack.
   */
  MAKESPAN;

  /** Returns it in lower case, as configurations have it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
