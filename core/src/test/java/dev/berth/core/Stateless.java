package dev.berth.core;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.Optional;
import java.util.function.Consumer;

/** A policy for tests that keeps nothing from pass to pass, so snapshots of it can be taken. */
record Stateless(Consumer<SchedulingPass> acts) implements Policy {

  @Override
  public void schedule(SchedulingPass pass) {
    acts.accept(pass);
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }
}
