package dev.berth.core;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.util.List;

/** What the placements of a plan say, in their order. */
final class Plans {

  private Plans() {}

  /** Returns the ids of the placed instances. */
  static List<String> instances(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  /** Returns the host of each placement. */
  static List<String> hosts(Plan plan) {
    return plan.placements().stream().map(Action.Place::host).toList();
  }

  /** Returns each placement as "instance on host". */
  static List<String> placements(Plan plan) {
    return plan.placements().stream().map(each -> each.instance() + " on " + each.host()).toList();
  }

  /** Returns the victims of all placements. */
  static List<String> victims(Plan plan) {
    return plan.placements().stream().flatMap(place -> place.victims().stream()).toList();
  }
}
