package dev.berth.core.decision;

import dev.berth.api.Experimental;
import dev.berth.api.plan.Rejection;

/**
 * Receives the decisions of a scheduler as it takes them; see {@link
 * dev.berth.core.Scheduler.Builder#onDecision}.
 *
 * <p>The scheduler calls the listener in the thread of the pass, after the pass has succeeded and
 * before {@code schedule} returns its plan: first each placement in order, then each other action
 * in order. A pass that is undone is not reported.
 *
 * <p>The listener may query the scheduler. An event, a pass or an explanation from within it throws
 * an {@link IllegalStateException} and changes nothing.
 *
 * <p>What the listener throws goes to the {@linkplain Thread#getUncaughtExceptionHandler uncaught
 * exception handler} of the thread. It never reaches the caller of the pass, who would otherwise
 * lose the plan. The listener still receives the other decisions.
 */
@Experimental
@FunctionalInterface
public interface DecisionListener {

  /** Receives a placement. */
  void decided(Decision decision);

  /** Receives an action other than a placement or a preemption. Does nothing by default. */
  default void adjusted(ActionRecord action) {}

  /**
   * Receives the actions that were undone after their pass, before {@link
   * dev.berth.core.Scheduler#rejected rejected} returns. Does nothing by default.
   */
  default void undone(Rejection rejection) {}
}
