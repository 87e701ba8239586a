package dev.berth.experiments.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import java.time.Duration;

/**
 * A policy to compare, by id. In the JSON of an experiment it is an object, or a text for {@code
 * policy}.
 *
 * @param policy its id
 * @param label its name in tables; empty: its id
 * @param config its settings, over its defaults
 */
public record PolicySpec(String policy, String label, JsonNode config) {

  static final PolicySpec DEFAULTS = of("");

  /** Returns a policy with its default settings. */
  public static PolicySpec of(String policy) {
    return new PolicySpec(policy, "", JsonNodeFactory.instance.objectNode());
  }

  /**
   * Returns a policy with settings.
   *
   * @param label its name in tables
   * @param policy its id
   * @param config its settings as JSON, over its defaults
   * @throws dev.berth.core.error.ConfigException if the settings are not JSON
   */
  public static PolicySpec of(String label, String policy, String config) {
    return new PolicySpec(policy, label, TreeBinder.parse("policy " + policy, config));
  }

  /** Returns its name in tables. */
  public String name() {
    return label.isBlank() ? policy : label;
  }

  /**
   * Looks the policy up and binds its settings.
   *
   * @throws dev.berth.core.error.UnknownPolicyException if the registry has no policy with this id
   * @throws dev.berth.core.error.ConfigException if its settings cannot be used
   */
  public ComparedPolicy resolve(PolicyRegistry registry) {
    return compared(PolicyChoice.of(registry.get(policy), config));
  }

  /**
   * Looks the policy up and binds its settings, for a run.
   *
   * @param watchdog as {@link PolicyChoice#of(PolicyFactory, JsonNode, Duration, Duration)}
   * @param meanStartOverhead likewise
   * @throws dev.berth.core.error.UnknownPolicyException as {@link #resolve(PolicyRegistry)}
   * @throws dev.berth.core.error.ConfigException likewise
   */
  public ComparedPolicy resolve(
      PolicyRegistry registry, Duration watchdog, Duration meanStartOverhead) {
    return compared(PolicyChoice.of(registry.get(policy), config, watchdog, meanStartOverhead));
  }

  /** Does the same with the watchdog and the mean overhead of the settings of a run. */
  public ComparedPolicy resolve(PolicyRegistry registry, RunSettings settings) {
    return resolve(registry, settings.watchdog(), settings.scenario().overheads().mean());
  }

  private ComparedPolicy compared(PolicyChoice<?> choice) {
    return new ComparedPolicy(name(), ComparedPolicy.Role.POLICY, choice);
  }
}
