package com.acme;

import dev.berth.api.Described;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.Optional;

/** A policy that places at random, so that its plans depend on the seed. */
public final class RandomPolicyFactory implements PolicyFactory<RandomPolicyFactory.Config> {

  /** Decides how many instances a pass places. */
  public record Config(@Described(value = "placements in a pass", range = "1 or more") int most) {}

  @Override
  public String id() {
    return "acme.random";
  }

  @Override
  public String summary() {
    return "places at random";
  }

  @Override
  public Config defaults() {
    return new Config(1);
  }

  @Override
  public Policy create(Config config, PolicyContext context) {
    return new Policy() {
      @Override
      public void schedule(SchedulingPass pass) {
        for (Instance each : pass.pending().stream().limit(config.most()).toList()) {
          pass.place(each, pass.hosts().get(pass.random().nextInt(pass.hosts().size())));
        }
      }

      @Override
      public Optional<PolicyMemory> memory() {
        return Optional.of(PolicyMemory.none());
      }
    };
  }
}
