package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.PolicyFactory;
import dev.berth.api.RequestDetail;
import dev.berth.core.Scheduler;
import dev.berth.core.config.ConfigBinder;
import dev.berth.simulator.Simulation;
import java.util.Set;

/**
 * A policy with its effective configuration, checked.
 *
 * @param factory makes it
 * @param config what applies
 */
record PolicyChoice<C extends Record>(PolicyFactory<C> factory, C config) {

  /**
   * Binds the user's values over the defaults.
   *
   * @throws dev.berth.core.ConfigException if they cannot be used; it lists everything that is
   *     wrong
   */
  static <C extends Record> PolicyChoice<C> of(PolicyFactory<C> factory, JsonNode user) {
    return new PolicyChoice<>(factory, ConfigBinder.bind(factory, user));
  }

  /** Returns the id of the policy. */
  String id() {
    return factory.id();
  }

  /** Returns the effective configuration. */
  ObjectNode configJson() {
    return ConfigBinder.toJson(config);
  }

  /** Returns a scheduler in the making that has the policy. */
  Scheduler.Builder scheduler() {
    return Scheduler.builder().policy(factory, config);
  }

  /**
   * Returns a simulation of the policy, at its start.
   *
   * @param ready the simulation, with a {@link #scheduler} of this policy
   * @throws PolicyUnusableException if the policy cannot be made
   */
  Simulation start(Simulation.Builder ready) {
    try {
      return ready.build();
    } catch (RuntimeException | LinkageError failure) {
      throw new PolicyUnusableException(id(), failure);
    }
  }

  /** Returns what requests should tell for the policy to do well. */
  Set<RequestDetail> livesOn() {
    return factory.livesOn(config);
  }
}
