package dev.berth.policies.baselines;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/**
 * The policies of this module: {@code never-preempt}, {@code bin-packing} and {@code queue-depth}.
 */
public final class BaselinePolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public BaselinePolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new NeverPreemptFactory(), new BinPackingFactory(), new QueueDepthFactory());
  }
}
