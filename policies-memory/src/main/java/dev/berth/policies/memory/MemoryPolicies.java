package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/**
 * The policies of this module: {@code memic}, {@code dedicated}, {@code round-robin}, {@code
 * first-fit}, {@code best-fit} and {@code worst-fit}.
 */
public final class MemoryPolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public MemoryPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(
        new MemicFactory(),
        new DedicatedFactory(),
        new RoundRobinFactory(),
        FitFactory.FIRST_FIT,
        FitFactory.BEST_FIT,
        FitFactory.WORST_FIT);
  }
}
