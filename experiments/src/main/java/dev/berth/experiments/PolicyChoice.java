package dev.berth.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import dev.berth.core.Scheduler;
import dev.berth.core.config.ConfigBinder;
import dev.berth.core.config.Durations;
import dev.berth.simulator.Simulation;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;

/**
 * A policy with its effective configuration, checked.
 *
 * @param factory makes it
 * @param config what applies
 */
public record PolicyChoice<C extends Record>(PolicyFactory<C> factory, C config) {

  /**
   * α of the QoS metric: what preparing a host is expected to take (QoS-driven scheduling, section
   * 3.1).
   */
  private static final String EXPECTED_OVERHEAD = "expectedOverhead";

  private static final String WATCHDOG = "watchdog";

  /**
   * Binds the user's values over the defaults.
   *
   * @throws dev.berth.core.error.ConfigException if they cannot be used; it lists everything that is
   *     wrong
   */
  public static <C extends Record> PolicyChoice<C> of(PolicyFactory<C> factory, JsonNode user) {
    return new PolicyChoice<>(factory, ConfigBinder.bind(factory, user));
  }

  /**
   * Binds the user's values over the defaults, for a run.
   *
   * @param period longest time between two passes; it rules over what the configuration says
   * @param meanOverhead what a configuration that expects an overhead expects unless the user says
   *     otherwise
   * @throws dev.berth.core.error.ConfigException as {@link #of(PolicyFactory, JsonNode)}
   */
  public static <C extends Record> PolicyChoice<C> of(
      PolicyFactory<C> factory, JsonNode user, Duration period, Duration meanOverhead) {
    PolicyChoice<C> asGiven = of(factory, user); // what is wrong is wrong even if overruled
    if (!(user instanceof ObjectNode values)) {
      return asGiven;
    }
    ObjectNode effective = values.deepCopy();
    if (hasDuration(factory, WATCHDOG)) {
      effective.put(WATCHDOG, Durations.format(period));
    }
    if (hasDuration(factory, EXPECTED_OVERHEAD) && !values.has(EXPECTED_OVERHEAD)) {
      effective.put(EXPECTED_OVERHEAD, Durations.format(meanOverhead));
    }
    return of(factory, effective);
  }

  private static boolean hasDuration(PolicyFactory<?> factory, String setting) {
    return Arrays.stream(factory.configType().getRecordComponents())
        .anyMatch(each -> each.getName().equals(setting) && each.getType() == Duration.class);
  }

  /** Returns the id of the policy. */
  public String id() {
    return factory.id();
  }

  /** Returns the effective configuration. */
  public ObjectNode configJson() {
    return ConfigBinder.toJson(config);
  }

  /** Returns a scheduler in the making that has the policy. */
  public Scheduler.Builder scheduler() {
    return Scheduler.builder().policy(factory, config);
  }

  /**
   * Returns a simulation of the policy, at its start.
   *
   * @param ready the simulation, with a {@link #scheduler} of this policy
   * @throws PolicyUnusableException if the policy cannot be made
   */
  public Simulation start(Simulation.Builder ready) {
    try {
      return ready.build();
    } catch (RuntimeException | LinkageError failure) {
      throw new PolicyUnusableException(id(), failure);
    }
  }

  /** Returns what requests should tell for the policy to do well. */
  public Set<RequestDetail> requiredDetails() {
    return factory.requiredDetails(config);
  }
}
