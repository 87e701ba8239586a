package dev.berth.testkit;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.util.function.UnaryOperator;

/** A factory that wraps the policies of another one so that the test can drive them. */
record SteeredFactory<C extends Record>(PolicyFactory<C> factory, UnaryOperator<Policy> steering)
    implements PolicyFactory<C> {

  @Override
  public String id() {
    return factory.id();
  }

  @Override
  public String summary() {
    return factory.summary();
  }

  @Override
  public C defaults() {
    return factory.defaults();
  }

  @Override
  public Policy create(C config, PolicyContext context) {
    return steering.apply(factory.create(config, context));
  }
}
