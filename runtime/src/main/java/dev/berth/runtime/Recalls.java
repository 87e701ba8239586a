package dev.berth.runtime;

import dev.berth.api.plan.Action;
import dev.berth.core.event.Event;
import dev.berth.runtime.ActionQueue.OpenAction;
import dev.berth.runtime.OpenActions.Stop;
import java.util.ArrayList;
import java.util.List;

/**
 * What a fleet was to be told after an event, and may not have been because the loop ended first:
 * actions to take back, instances to stop.
 *
 * <p>A turn of the loop tells the fleet at its end, and has at most one pass. What comes before the
 * pass before the latest one was therefore told.
 */
final class Recalls {

  private final List<OpenAction> actions = new ArrayList<>();
  private final List<Stop> stops = new ArrayList<>();
  private int actionsBeforePass;
  private int stopsBeforePass;

  /** Adds what an event has made needless. */
  void add(Event<?> event, List<OpenAction> removed, List<Stop> stopped) {
    for (OpenAction each : removed) {
      if (!OpenActions.removesHosts(event) || each.action instanceof Action.Migrate) {
        actions.add(each);
      }
    }
    stops.addAll(OpenActions.withHostsOf(removed, event, stopped));
  }

  /** Notes a pass. */
  void passed() {
    actions.subList(0, actionsBeforePass).clear();
    stops.subList(0, stopsBeforePass).clear();
    actionsBeforePass = actions.size();
    stopsBeforePass = stops.size();
  }

  List<OpenAction> actions() {
    return actions;
  }

  List<Stop> stops() {
    return stops;
  }
}
