package dev.berth.testkit.asserting;

import dev.berth.api.Dimension;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A policy whose passes have limited validity. */
final class AssertingPolicy implements Policy {

  private final MisuseDetector detector;
  private final Policy policy;

  AssertingPolicy(MisuseDetector detector, Policy policy) {
    this.detector = detector;
    this.policy = policy;
  }

  /**
   * Checks the keys before and after the policy runs, since a key that depends on more than the
   * instance may change as the policy acts. Not in between, where forks may be undone.
   */
  @Override
  public void schedule(SchedulingPass pass) {
    detector.forgetAllKeysBut(pass.instances());
    detector.checkKeys();
    Scope scope = detector.beginPass(pass.number());
    try {
      policy.schedule(ProxyView.of(SchedulingPass.class, scope, pass, scope.name()));
    } finally {
      detector.endPass(scope);
    }
    detector.checkKeys();
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
