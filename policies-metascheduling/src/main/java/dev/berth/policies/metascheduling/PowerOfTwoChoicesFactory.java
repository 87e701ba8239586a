package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;

/**
 * Creates {@code power-of-two-choices}: the one of two random sites with less estimated load per
 * core. It is not part of the paper; it shows what little information can do (Mitzenmacher: The
 * power of two choices in randomized load balancing, 2001).
 */
final class PowerOfTwoChoicesFactory implements PolicyFactory<LoadConfig> {

  @Override
  public String id() {
    return "power-of-two-choices";
  }

  @Override
  public String summary() {
    return "places on the less loaded of two random hosts";
  }

  @Override
  public LoadConfig defaults() {
    return LoadConfig.DEFAULT;
  }

  @Override
  public Policy create(LoadConfig config, PolicyContext context) {
    return new ImmediatePolicy(Choices.powerOfTwoChoices(config));
  }
}
