package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An action of a plan that may still be undone.
 *
 * @param id its id
 * @param action the action
 * @param formers the instances on which it acts, as they were before it
 * @param bag the bag on which it acts, or to which its instance belongs; or empty
 * @param formerCluster the cluster of the bag before it, if it assigns one
 * @param group the group to which its instance belongs; or empty
 */
record Decision(
    ActionId id,
    Action action,
    List<Former> formers,
    Optional<Identity> bag,
    Optional<String> formerCluster,
    Optional<Identity> group) {

  /**
   * An instance before an action.
   *
   * @param instance id of the instance
   * @param number tells it from others of the same id
   * @param home its host, if it was on one
   * @param held what it held there
   */
  record Former(String instance, int number, Optional<Identity> home, Map<Dimension, Long> held) {}

  /**
   * A host or a bag, while it is there.
   *
   * @param id its id
   * @param number tells it from later ones of the same id
   */
  record Identity(String id, int number) {}

  /** Returns the instance on which it acts; empty if it acts on hosts or a bag. */
  Optional<Former> subject() {
    return action instanceof Action.OnInstance ? Optional.of(formers.get(0)) : Optional.empty();
  }

  boolean isStart() {
    return action instanceof Action.Starts;
  }

  /** Returns whether no report confirms it. */
  boolean isUnconfirmed() {
    return action instanceof Action.Resize
        || action instanceof Action.Pause
        || action instanceof Action.Suspend;
  }

  /** Returns whether the next pass settles it. */
  boolean endsWithTheNextPass() {
    return action instanceof Action.Ends
        || action instanceof Action.Assign
        || action instanceof Action.Cancel;
  }

  boolean isLaterThan(Decision other) {
    return isLater(id, other.id);
  }

  boolean isBefore(Decision other) {
    return other.isLaterThan(this);
  }

  private static boolean isLater(ActionId one, ActionId other) {
    return one.pass() > other.pass() || (one.pass() == other.pass() && one.index() > other.index());
  }
}
