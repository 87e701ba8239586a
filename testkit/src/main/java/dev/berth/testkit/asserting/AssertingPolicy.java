package dev.berth.testkit.asserting;

import dev.berth.api.Dimension;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A policy that differs from another in its passes. */
record AssertingPolicy(Policy policy, Consumer<SchedulingPass> passes) implements Policy {

  /**
   * Returns a policy whose passes have limited validity. It checks the keys before and after the
   * policy runs, since a key that depends on more than the instance may change as the policy acts.
   * Not in between, where forks may be undone.
   */
  static Policy of(MisuseDetector detector, Policy policy) {
    return new AssertingPolicy(
        policy,
        pass -> {
          detector.forgetAllKeysBut(pass.instances());
          detector.checkKeys();
          Scope scope = detector.beginPass(pass.number());
          try {
            policy.schedule(ProxyView.of(SchedulingPass.class, scope, pass, scope.name()));
          } finally {
            detector.endPass(scope);
          }
          detector.checkKeys();
        });
  }

  /** Returns a pipeline that is given the engine's own passes. */
  static Policy unwrapping(Policy pipeline, ClosedClasses closed) {
    return new AssertingPolicy(
        pipeline,
        pass -> {
          try {
            pipeline.schedule(ProxyView.unwrap(pass));
          } finally {
            closed.beginSeries(); // the caller may undo this run before the next
          }
        });
  }

  @Override
  public void schedule(SchedulingPass pass) {
    passes.accept(pass);
  }

  @Override
  public Optional<Duration> watchdog() {
    return policy.watchdog();
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return policy.memory();
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return policy.oversubscribes();
  }
}
