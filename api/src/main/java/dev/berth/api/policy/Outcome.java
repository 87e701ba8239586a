package dev.berth.api.policy;

import dev.berth.api.Reason;
import java.util.Optional;

/**
 * The engine's answer to an action of a policy.
 *
 * @param refusal why nothing was done, or empty if the action was recorded
 */
public record Outcome(Optional<Reason> refusal) {

  private static final Outcome ACCEPTED = new Outcome(Optional.empty());

  /** The answer to an action that was recorded. */
  public static Outcome accept() {
    return ACCEPTED;
  }

  /** The answer to an action that was refused, of which nothing is kept. */
  public static Outcome refuse(Reason why) {
    return new Outcome(Optional.of(why));
  }

  /** Returns whether the action was recorded. */
  public boolean accepted() {
    return refusal.isEmpty();
  }
}
