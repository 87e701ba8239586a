package dev.berth.testkit.asserting;

import dev.berth.api.Dimension;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A policy that is shown passes for a while. */
final class AssertingPolicy implements Policy {

  private final MisuseDetector watch;
  private final Policy policy;

  AssertingPolicy(MisuseDetector watch, Policy policy) {
    this.watch = watch;
    this.policy = policy;
  }

  /**
   * Keys are checked before the policy looks at the pass and afterwards, since one that depends on
   * something else than the instance may change as the policy looks or acts. In between, what a
   * fork has changed may be undone.
   */
  @Override
  public void schedule(SchedulingPass pass) {
    watch.forgetAllKeysBut(pass.instances());
    watch.checkKeys();
    Scope scope = watch.beginPass(pass.number());
    try {
      policy.schedule(new AssertingPass(scope, pass));
    } finally {
      watch.endPass(scope);
    }
    watch.checkKeys();
  }

  @Override
  public Optional<Duration> watchdog() {
    return policy.watchdog();
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return policy.oversubscribes();
  }
}
