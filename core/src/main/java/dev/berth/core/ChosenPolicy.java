package dev.berth.core;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.state.ClusterState;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The policy of a scheduler: its id, its effective configuration, and how to create it.
 *
 * @param config the effective configuration as JSON; an empty object for a policy without a factory
 */
record ChosenPolicy(String id, String config, Function<PolicyContext, Policy> maker) {

  static <C extends Record> ChosenPolicy of(PolicyFactory<C> factory, C config) {
    return new ChosenPolicy(
        factory.id(),
        TreeBinder.toJson(config).toString(),
        context ->
            Objects.requireNonNull(factory.create(config, context), "create() returned null"));
  }

  static <C extends Record> ChosenPolicy bound(PolicyFactory<C> factory, JsonNode user) {
    return of(factory, TreeBinder.bind(factory, user));
  }

  /** Creates the policy for a cluster. */
  Policy create(ClusterState state) {
    return maker.apply(new Context(state));
  }

  private record Context(ClusterState state) implements PolicyContext {
    @Override
    public List<ServiceClass> serviceClasses() {
      return state.serviceClasses();
    }

    @Override
    public long seed() {
      return state.seed();
    }

    @Override
    public PipelineBuilder pipeline() {
      return Pipeline.builder(state);
    }
  }
}
