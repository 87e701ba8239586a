package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.PolicyFactory;
import dev.berth.core.ConfigException;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.UnknownPolicyException;
import dev.berth.core.config.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns the ids and configurations that the user gave into policies that can be run. */
final class PolicySelection {

  /**
   * α of the QoS metric: what preparing a host is expected to take (QoS-driven scheduling, section
   * 3.1).
   */
  private static final String EXPECTED_OVERHEAD = "expectedOverhead";

  private static final String WATCHDOG = "watchdog";

  private final PolicyRegistry registry;
  private final Duration period;
  private final Duration meanOverhead;

  /**
   * Sets what is the same for all policies.
   *
   * @param registry where they are looked up
   * @param period longest time between two passes; it rules over what a configuration says
   * @param meanOverhead what a configuration that expects an overhead expects unless the user says
   *     otherwise
   */
  PolicySelection(PolicyRegistry registry, Duration period, Duration meanOverhead) {
    this.registry = registry;
    this.period = period;
    this.meanOverhead = meanOverhead;
  }

  /**
   * Returns the policies, in the order in which they are named.
   *
   * @param ids without repetition
   * @param configOptions as in {@link PolicyConfigs#parse}
   * @throws PolicyUnusableException if the code of a factory fails
   * @throws BadInputException listing everything that is wrong with the configurations
   */
  List<PolicyChoice<?>> choose(List<String> ids, List<String> configOptions) {
    List<PolicyFactory<?>> factories = factories(ids);
    List<String> problems = new ArrayList<>();
    Map<String, JsonNode> configs;
    try {
      configs = PolicyConfigs.parse(configOptions, ids);
    } catch (ConfigException malformed) {
      throw new BadInputException(problems(malformed));
    }
    List<PolicyChoice<?>> choices = new ArrayList<>();
    for (PolicyFactory<?> factory : factories) {
      JsonNode user = configs.getOrDefault(factory.id(), Json.object());
      try {
        choices.add(choice(factory, user));
      } catch (ConfigException wrong) {
        problems.addAll(problems(wrong));
      } catch (RuntimeException | LinkageError broken) {
        throw new PolicyUnusableException(factory.id(), broken);
      }
    }
    if (!problems.isEmpty()) {
      throw new BadInputException(problems);
    }
    return choices;
  }

  private List<PolicyFactory<?>> factories(List<String> ids) {
    if (ids.isEmpty() || ids.stream().anyMatch(String::isBlank)) {
      throw new BadInputException(
          "an empty name was given for a policy. Known: %s."
              .formatted(String.join(", ", registry.ids())));
    }
    Set<String> seen = new LinkedHashSet<>();
    List<PolicyFactory<?>> factories = new ArrayList<>();
    for (String id : ids) {
      if (!seen.add(id)) {
        throw new BadInputException("policy %s is given twice.".formatted(id));
      }
      try {
        factories.add(registry.get(id));
      } catch (UnknownPolicyException unknown) {
        throw new BadInputException(String.valueOf(unknown.getMessage()), unknown);
      }
    }
    return factories;
  }

  private <C extends Record> PolicyChoice<C> choice(PolicyFactory<C> factory, JsonNode user) {
    if (!(user instanceof ObjectNode values)) {
      return PolicyChoice.of(factory, user);
    }
    PolicyChoice.of(factory, values); // what is wrong in them is wrong even where we overrule it
    ObjectNode effective = values.deepCopy();
    if (hasDuration(factory, WATCHDOG)) {
      effective.put(WATCHDOG, Durations.format(period));
    }
    if (hasDuration(factory, EXPECTED_OVERHEAD) && !values.has(EXPECTED_OVERHEAD)) {
      effective.put(EXPECTED_OVERHEAD, Durations.format(meanOverhead));
    }
    return PolicyChoice.of(factory, effective);
  }

  private static boolean hasDuration(PolicyFactory<?> factory, String setting) {
    return Arrays.stream(factory.configType().getRecordComponents())
        .anyMatch(each -> each.getName().equals(setting) && each.getType() == Duration.class);
  }

  private static List<String> problems(ConfigException wrong) {
    return String.valueOf(wrong.getMessage()).lines().toList();
  }
}
