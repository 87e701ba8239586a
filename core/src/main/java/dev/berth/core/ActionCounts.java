package dev.berth.core;

import dev.berth.api.plan.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts the actions of plans by kind. */
final class ActionCounts {

  private static final List<Class<? extends Action>> KINDS =
      List.of(
          Action.Place.class, // most are
          Action.Preempt.class,
          Action.Resize.class,
          Action.Pause.class,
          Action.Suspend.class,
          Action.Resume.class,
          Action.Migrate.class,
          Action.Reject.class,
          Action.Provision.class,
          Action.Release.class,
          Action.Assign.class,
          Action.Cancel.class,
          Action.Evict.class,
          Action.Stop.class);

  private final long[] counts = new long[KINDS.size()];

  void add(Action action) {
    counts[KINDS.indexOf(action.getClass())]++;
  }

  /** Returns the counts of all kinds. */
  Map<String, Long> byKind() {
    Map<String, Long> byKind = new LinkedHashMap<>();
    for (int i = 0; i < counts.length; i++) {
      byKind.put(KINDS.get(i).getSimpleName().toLowerCase(Locale.ROOT), counts[i]);
    }
    return byKind;
  }
}
