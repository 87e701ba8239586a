package dev.berth.testkit.contract.selftest;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/** Provides the policies of this package's tests. */
public final class SelftestPolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public SelftestPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new WellBehaved.Factory(), new FirstFitPolicy.Factory());
  }
}
