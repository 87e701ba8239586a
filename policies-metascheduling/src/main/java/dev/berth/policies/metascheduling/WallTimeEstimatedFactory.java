package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;

/**
 * Creates {@code wall-time-estimated}: the site where the application is expected to run shortest
 * under its present load (section 3.3). Where it never ran it is expected to take no time; of
 * equals the least loaded wins.
 */
final class WallTimeEstimatedFactory implements PolicyFactory<LoadConfig> {

  @Override
  public String id() {
    return "wall-time-estimated";
  }

  @Override
  public String summary() {
    return "places on the host where the application should be done soonest";
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
    return new ImmediatePolicy(Choices.wallTimeEstimated(config));
  }
}
