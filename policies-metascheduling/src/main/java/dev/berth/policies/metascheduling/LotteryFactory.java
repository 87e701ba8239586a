package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;

/**
 * Creates {@code lottery}: a lottery in which a site has more tickets, the less CPU time the
 * application used there (section 3.1).
 */
final class LotteryFactory implements PolicyFactory<NoSettings> {

  @Override
  public String id() {
    return "lottery";
  }

  @Override
  public String summary() {
    return "draws a host by lot; the faster it ran the application, the likelier";
  }

  @Override
  public NoSettings defaults() {
    return new NoSettings();
  }

  @Override
  public Set<RequestDetail> requiredDetails(NoSettings config) {
    return Set.of(RequestDetail.APPLICATION);
  }

  @Override
  public Policy create(NoSettings config, PolicyContext context) {
    return new ImmediatePolicy(Choices.lottery());
  }
}
