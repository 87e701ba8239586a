package dev.berth.experiments.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import dev.berth.core.Providers;
import dev.berth.core.Scheduler;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.simulator.Simulation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A policy with its effective configuration, checked.
 *
 * @param factory creates the policy
 * @param config the effective configuration
 */
public record PolicyChoice<C extends Record>(PolicyFactory<C> factory, C config) {

  /**
   * Binds the user's values over the defaults.
   *
   * @throws ConfigException if the values are invalid; lists all problems
   * @throws PolicyUnusableException if the factory fails
   */
  public static <C extends Record> PolicyChoice<C> of(PolicyFactory<C> factory, JsonNode user) {
    return usable(
        factory,
        () ->
            new PolicyChoice<>(
                factory, TreeBinder.bind(factory, defaults(factory.defaults()), user)));
  }

  /**
   * Binds the user's values over the defaults, for a run.
   *
   * @param watchdog longest time between two passes; it replaces the one of the configuration
   * @param meanStartOverhead mean time that starting an instance takes; the default of a policy
   *     that expects such an overhead
   * @throws ConfigException as {@link #of(PolicyFactory, JsonNode)}
   */
  public static <C extends Record> PolicyChoice<C> of(
      PolicyFactory<C> factory, JsonNode user, Duration watchdog, Duration meanStartOverhead) {
    PolicyChoice<C> bound =
        usable(
            factory,
            () -> {
              C defaults = defaults(factory.defaults(meanStartOverhead));
              return new PolicyChoice<>(factory, TreeBinder.bind(factory, defaults, user));
            });
    return bound.withWatchdog(watchdog);
  }

  /**
   * Returns the policy with another longest time between two passes.
   *
   * @throws PolicyUnusableException if the factory fails
   */
  PolicyChoice<C> withWatchdog(Duration watchdog) {
    return usable(
        factory,
        () ->
            new PolicyChoice<>(
                factory,
                Objects.requireNonNull(
                    factory.withWatchdog(config, watchdog), "withWatchdog() returned null")));
  }

  private static <C> C defaults(@Nullable C defaults) {
    return Objects.requireNonNull(defaults, "defaults() returned null");
  }

  /** Calls a factory, which may throw anything. */
  private static <T> T usable(PolicyFactory<?> factory, Supplier<T> call) {
    try {
      return call.get();
    } catch (ConfigException | OutOfMemoryError ours) {
      throw ours;
    } catch (Throwable broken) {
      throw new PolicyUnusableException(factory.id(), factory, broken);
    }
  }

  /** Returns the id of the policy. */
  public String id() {
    return factory.id();
  }

  /** Returns what the policy does, in one line without its id; empty if the factory fails. */
  public Optional<String> summary() {
    try {
      return Optional.of(
          usable(
              factory, () -> Objects.requireNonNull(factory.summary(), "summary() returned null")));
    } catch (PolicyUnusableException broken) {
      return Optional.empty();
    }
  }

  /** Returns the effective configuration. */
  public ObjectNode configJson() {
    return TreeBinder.toJson(config);
  }

  /**
   * Simulates the policy. Every run of experiments and studies comes from here.
   *
   * @param settings returns the simulation for a scheduler with the policy, which records no
   *     decisions unless the settings change that
   * @param execution runs the simulation and returns its result; the simulation is closed
   *     afterwards
   * @throws PolicyUnusableException if the policy cannot be created, or the policy of a plugin
   *     throws in a pass; the message names the jar
   * @throws PolicyFailedException if a policy of Berth throws in a pass
   */
  public <R> R simulate(
      Function<Scheduler.Builder, Simulation.Builder> settings, Function<Simulation, R> execution) {
    Simulation.Builder ready =
        settings.apply(Scheduler.builder().policy(factory, config).decisionLog(0));
    try (Simulation simulation = start(ready)) {
      return execution.apply(simulation);
    } catch (PolicyFailedException failure) {
      if (Providers.jar(factory).isEmpty()) {
        throw failure;
      }
      throw new PolicyUnusableException(id(), factory, failure);
    }
  }

  private Simulation start(Simulation.Builder ready) {
    return usable(factory, ready::build);
  }

  /** Returns the request details that the policy depends on. */
  public Set<RequestDetail> requiredDetails() {
    return usable(
        factory,
        () ->
            Objects.requireNonNull(
                factory.requiredDetails(config), "requiredDetails() returned null"));
  }
}
