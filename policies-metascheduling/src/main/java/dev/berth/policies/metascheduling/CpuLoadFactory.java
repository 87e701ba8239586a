package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;

/**
 * Creates {@code cpu-load}: the site that reported the least load per core, however long ago
 * (section 3).
 */
final class CpuLoadFactory implements PolicyFactory<NoSettings> {

  @Override
  public String id() {
    return "cpu-load";
  }

  @Override
  public String summary() {
    return "places on the host that reported the least load per core";
  }

  @Override
  public NoSettings defaults() {
    return new NoSettings();
  }

  @Override
  public Policy create(NoSettings config, PolicyContext context) {
    return new ImmediatePolicy(Choices.cpuLoad());
  }
}
