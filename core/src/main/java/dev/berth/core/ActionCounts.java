package dev.berth.core;

import dev.berth.api.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts the actions of plans by kind. */
final class ActionCounts {

  private static final List<String> KINDS =
      List.of(
          "place",
          "preempt",
          "resize",
          "pause",
          "suspend",
          "resume",
          "migrate",
          "reject",
          "provision",
          "release",
          "assign",
          "cancel",
          "evict");

  private final long[] counts = new long[KINDS.size()];

  void add(Action action) {
    counts[kind(action)]++;
  }

  private static int kind(Action action) {
    if (action instanceof Action.Place) { // most are
      return 0;
    } else if (action instanceof Action.Preempt) {
      return 1;
    } else if (action instanceof Action.Resize) {
      return 2;
    } else if (action instanceof Action.Pause) {
      return 3;
    } else if (action instanceof Action.Suspend) {
      return 4;
    } else if (action instanceof Action.Resume) {
      return 5;
    } else if (action instanceof Action.Migrate) {
      return 6;
    } else if (action instanceof Action.Reject) {
      return 7;
    } else if (action instanceof Action.Provision) {
      return 8;
    } else if (action instanceof Action.Release) {
      return 9;
    } else if (action instanceof Action.Assign) {
      return 10;
    }
    return action instanceof Action.Cancel ? 11 : 12;
  }

  /** Returns the counts of all kinds. */
  Map<String, Long> byKind() {
    Map<String, Long> byKind = new LinkedHashMap<>();
    for (int i = 0; i < counts.length; i++) {
      byKind.put(KINDS.get(i), counts[i]);
    }
    return byKind;
  }
}
