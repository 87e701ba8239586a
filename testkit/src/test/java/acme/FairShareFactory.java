package acme;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;

/** Creates {@code acme.fair-share}. */
final class FairShareFactory implements PolicyFactory<FairShareFactory.Config> {

  /** No settings. */
  record Config() {}

  @Override
  public String id() {
    return "acme.fair-share";
  }

  @Override
  public String summary() {
    return "serves the user who holds the fewest cores first";
  }

  @Override
  public Config defaults() {
    return new Config();
  }

  @Override
  public Set<RequestDetail> requiredDetails(Config config) {
    return Set.of(RequestDetail.USER);
  }

  @Override
  public Policy create(Config config, PolicyContext context) {
    return new FairShare();
  }
}
