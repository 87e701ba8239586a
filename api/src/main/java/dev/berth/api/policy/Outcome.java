package dev.berth.api.policy;

import dev.berth.api.Reason;
import java.util.Objects;
import java.util.Optional;

/**
 * The engine's answer to an action of a policy.
 *
 * @param refusal why the action was refused; empty if it was recorded
 */
public record Outcome(Optional<Reason> refusal) {

  private static final Outcome ACCEPTED = new Outcome(Optional.empty());

  /** Returns the answer to a recorded action. */
  public static Outcome accept() {
    return ACCEPTED;
  }

  /** Returns the answer to a refused action, which has no effect. */
  public static Outcome refuse(Reason why) {
    return new Outcome(Optional.of(Objects.requireNonNull(why, "why")));
  }

  /** Returns whether the action was recorded. */
  public boolean accepted() {
    return refusal.isEmpty();
  }
}
