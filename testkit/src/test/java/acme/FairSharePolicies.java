package acme;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/** Provides the policies of the guide. */
public final class FairSharePolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public FairSharePolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new FairShareFactory(), new LeastLost());
  }
}
