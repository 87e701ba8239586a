package dev.berth.runtime;

import dev.berth.timeline.RunTimeline;
import java.time.Duration;
import java.util.List;

/**
 * What runs where and what waits.
 *
 * @param timeline of the latest time, at most an hour
 * @param isCut whether bars of the last hour were dropped, since there were too many
 * @param waiting the pending instances that a page lists
 */
record StatusView(RunTimeline timeline, boolean isCut, List<Waiting> waiting) {

  /**
   * A pending instance.
   *
   * @param why the obstacles in one sentence; empty if explaining took too long
   */
  record Waiting(String instance, String serviceClass, Duration since, String why) {}
}
