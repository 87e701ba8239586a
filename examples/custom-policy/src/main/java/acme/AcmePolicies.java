package acme;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/** The policies of this jar. Berth finds them through META-INF/services. */
public final class AcmePolicies implements PolicyProvider {

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new BestFit());
  }
}
