package dev.berth.policies.elastic;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;
import java.util.function.Function;

/** Creates policies that size the hosts of a pool by the run times of bags. */
record PoolPolicyFactory<C extends Record>(
    String id, String summary, C defaults, Function<C, Policy> policy) implements PolicyFactory<C> {

  @Override
  public Set<RequestDetail> requiredDetails(C config) {
    return Set.of(RequestDetail.RUN_TIME);
  }

  @Override
  public Policy create(C config, PolicyContext context) {
    return policy.apply(config);
  }
}
