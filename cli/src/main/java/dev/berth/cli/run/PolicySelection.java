package dev.berth.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.session.Policies;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.PolicyChoice;
import dev.berth.experiments.PolicyUnusableException;
import dev.berth.report.render.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns ids and configurations from the user into policies ready to run. */
final class PolicySelection {

  private final PolicyRegistry registry;
  private final Duration watchdog;
  private final Duration meanOverhead;

  /**
   * Creates a selection with the settings shared by all policies.
   *
   * @param registry where they are looked up
   * @param watchdog longest time between two passes; it overrides that of a configuration
   * @param meanOverhead default {@code expectedOverhead} of configurations that have this setting
   */
  PolicySelection(PolicyRegistry registry, Duration watchdog, Duration meanOverhead) {
    this.registry = registry;
    this.watchdog = watchdog;
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
      JsonNode user = configs.getOrDefault(factory.id(), JsonText.object());
      try {
        choices.add(PolicyChoice.of(factory, user, watchdog, meanOverhead));
      } catch (ConfigException wrong) {
        problems.addAll(problems(wrong));
      }
    }
    if (!problems.isEmpty()) {
      throw new BadInputException(problems);
    }
    return choices;
  }

  /** Looks all policies up, and reports all problems with their names together. */
  private List<PolicyFactory<?>> factories(List<String> ids) {
    if (ids.isEmpty() || ids.stream().anyMatch(String::isBlank)) {
      throw new BadInputException(
          "an empty name was given for a policy. 'berth policies' lists all.");
    }
    List<String> problems = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    List<PolicyFactory<?>> factories = new ArrayList<>();
    for (String id : ids) {
      if (!seen.add(id)) {
        problems.add("policy %s is given twice.".formatted(id));
      } else if (registry.ids().contains(id)) {
        factories.add(registry.get(id));
      } else {
        problems.add("no policy %s. %s".formatted(id, Policies.hint(id, registry)));
      }
    }
    if (problems.isEmpty()) {
      return factories;
    }
    if (seen.size() > factories.size()) {
      problems.add("'berth policies' lists all.");
    }
    throw new BadInputException(problems);
  }

  private static List<String> problems(ConfigException wrong) {
    return String.valueOf(wrong.getMessage()).lines().toList();
  }
}
