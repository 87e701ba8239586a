package dev.berth.testkit;

import dev.berth.api.Dimension;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides in a pass: the policy, or the test if it has set actions. */
final class PolicyDriver {

  private @Nullable Consumer<SchedulingPass> actions;

  /** Sets the actions of the test, or null to let the policy decide. */
  void set(@Nullable Consumer<SchedulingPass> actions) {
    this.actions = actions;
  }

  /** Returns a policy that follows the test when it has set actions. */
  Policy steering(Policy policy) {
    return new Policy() {
      @Override
      public void schedule(SchedulingPass pass) {
        if (actions == null) {
          policy.schedule(pass);
        } else {
          actions.accept(pass);
        }
      }

      @Override
      public Optional<Duration> watchdog() {
        return policy.watchdog();
      }

      @Override
      public Set<Dimension> oversubscribes() {
        return policy.oversubscribes();
      }
    };
  }
}
