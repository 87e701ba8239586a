package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;

/** Creates {@code random}: any site, with equal probability (section 3). */
final class RandomFactory implements PolicyFactory<NoSettings> {

  @Override
  public String id() {
    return "random";
  }

  @Override
  public String summary() {
    return "places on a random host, each with equal probability";
  }

  @Override
  public NoSettings defaults() {
    return new NoSettings();
  }

  @Override
  public Policy create(NoSettings config, PolicyContext context) {
    return new ImmediatePolicy(Choices.random());
  }
}
