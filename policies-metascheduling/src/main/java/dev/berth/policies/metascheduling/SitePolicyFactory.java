package dev.berth.policies.metascheduling;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;
import java.util.function.Function;

/** Creates policies that place each request immediately on the site of a choice. */
record SitePolicyFactory<C extends Record>(
    String id,
    String summary,
    C defaults,
    Set<RequestDetail> details,
    Function<C, SiteChoice> choice)
    implements PolicyFactory<C> {

  @Override
  public Set<RequestDetail> requiredDetails(C config) {
    return details;
  }

  @Override
  public Policy create(C config, PolicyContext context) {
    return new ImmediatePolicy(choice.apply(config));
  }
}
