package dev.berth.policies.metascheduling;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/**
 * The policies of this module: {@code random}, {@code cpu-load}, {@code lottery}, {@code
 * lottery-with-load}, {@code wall-time-estimated} and {@code power-of-two-choices}.
 */
public final class MetaschedulingPolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public MetaschedulingPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(
        new RandomFactory(),
        new CpuLoadFactory(),
        new LotteryFactory(),
        new LotteryWithLoadFactory(),
        new WallTimeEstimatedFactory(),
        new PowerOfTwoChoicesFactory());
  }
}
