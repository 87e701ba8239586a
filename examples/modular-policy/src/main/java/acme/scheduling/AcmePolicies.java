package acme.scheduling;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/** Offers the policies of this module; found by {@link java.util.ServiceLoader}. */
public final class AcmePolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public AcmePolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new NightShift());
  }
}
