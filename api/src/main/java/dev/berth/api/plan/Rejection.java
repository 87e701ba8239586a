package dev.berth.api.plan;

import java.util.List;
import java.util.Objects;

/**
 * What a scheduler undid because a fleet could not carry out an action. Immutable.
 *
 * <p>The fleet must not carry out any of these actions any more, and must take back those that it
 * has begun.
 *
 * @param action id of the rejected action
 * @param why the reason of the fleet
 * @param undone the actions that were undone, in order of undoing: the latest first, the rejected
 *     one last
 * @param gaveUp whether the instance that was to be placed has ended, since it has failed more
 *     often than its request {@linkplain dev.berth.api.Request#maxFailures allows}
 */
public record Rejection(ActionId action, String why, List<Undone> undone, boolean gaveUp) {

  /** Copies the list. */
  public Rejection {
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(why, "why");
    undone = List.copyOf(undone);
  }

  /**
   * An action that was undone.
   *
   * @param id its id
   * @param action the action
   */
  public record Undone(ActionId id, Action action) {}
}
