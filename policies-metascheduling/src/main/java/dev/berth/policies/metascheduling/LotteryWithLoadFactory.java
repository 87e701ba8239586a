package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;

/**
 * Creates {@code lottery-with-load}: a lottery in which a site has more tickets, the shorter the
 * expected run time of the application under its current load (section 3.2).
 */
final class LotteryWithLoadFactory implements PolicyFactory<LoadConfig> {

  @Override
  public String id() {
    return "lottery-with-load";
  }

  @Override
  public String summary() {
    return "draws a host by lot; the sooner it should be done there, the likelier";
  }

  @Override
  public LoadConfig defaults() {
    return LoadConfig.DEFAULT;
  }

  @Override
  public Set<RequestDetail> requiredDetails(LoadConfig config) {
    return Set.of(RequestDetail.APPLICATION);
  }

  @Override
  public Policy create(LoadConfig config, PolicyContext context) {
    return new ImmediatePolicy(Choices.lotteryWithLoad(config));
  }
}
