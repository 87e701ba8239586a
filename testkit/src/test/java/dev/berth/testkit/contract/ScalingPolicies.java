package dev.berth.testkit.contract;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/** Provides the policies of this package's tests. */
public final class ScalingPolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public ScalingPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new AdjustingPolicy.Factory(), new ScalingPolicy.Factory());
  }
}
