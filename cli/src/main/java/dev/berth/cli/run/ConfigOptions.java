package dev.berth.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.InputFile;
import dev.berth.cli.session.Policies;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.PolicyUnusableException;
import dev.berth.report.render.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** Options for the configuration of policies, shared by all commands that run policies. */
public final class ConfigOptions {

  private static final String OPTION = "--config";

  @Option(
      names = OPTION,
      paramLabel = "POLICY=JSON|POLICY=@FILE",
      arity = "1",
      description =
          "Settings of a policy that override its defaults; see 'berth policies'. Once per policy.")
  private List<String> configs = new ArrayList<>();

  /**
   * Returns policies with their configurations, in the order in which they are named.
   *
   * @param registry where they are looked up
   * @param ids of the policies, without repetition
   * @param watchdog longest time between two passes; it overrides that of a configuration
   * @param meanOverhead default {@code expectedOverhead} of configurations that have this setting
   * @throws PolicyUnusableException if the code of a factory fails
   * @throws BadInputException listing everything that is wrong with the ids or the configurations
   */
  public List<PolicyChoice<?>> policies(
      PolicyRegistry registry, List<String> ids, Duration watchdog, Duration meanOverhead) {
    List<PolicyFactory<?>> factories = factories(ids, registry);
    List<String> problems = new ArrayList<>();
    Map<String, JsonNode> given;
    try {
      given = given(ids);
    } catch (ConfigException malformed) {
      throw new BadInputException(problems(malformed));
    }
    List<PolicyChoice<?>> choices = new ArrayList<>();
    for (PolicyFactory<?> factory : factories) {
      JsonNode user = given.getOrDefault(factory.id(), JsonText.object());
      try {
        choices.add(PolicyChoice.of(factory, user, watchdog, meanOverhead));
      } catch (ConfigException wrong) {
        problems.addAll(problems(wrong));
      }
    }
    BadInputException.ifAny(problems);
    return choices;
  }

  /** Looks all policies up, and reports all problems with their names together. */
  private static List<PolicyFactory<?>> factories(List<String> ids, PolicyRegistry registry) {
    BadInputException.unless(
        !ids.isEmpty() && ids.stream().noneMatch(String::isBlank),
        "an empty name was given for a policy. 'berth policies' lists all.");
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
    if (seen.size() > factories.size()) {
      problems.add("'berth policies' lists all.");
    }
    BadInputException.ifAny(problems);
    return factories;
  }

  /** Returns the user's values, by id of the policy. */
  private Map<String, JsonNode> given(List<String> chosen) {
    Map<String, JsonNode> given = new HashMap<>();
    for (String option : configs) {
      int equals = option.indexOf('=');
      String text = option.substring(equals + 1);
      BadInputException.unless(
          equals > 0,
          "%s was \"%s\", must be POLICY=JSON or POLICY=@FILE. Maybe you meant %s=%s."
              .formatted(OPTION, option, chosen.get(0), text));
      String policy = option.substring(0, equals);
      BadInputException.unless(
          chosen.contains(policy),
          "%s is about the policy %s, which is not run. Policies that run: %s."
              .formatted(OPTION, policy, String.join(", ", chosen)));
      BadInputException.unless(
          given.put(policy, value(policy, text)) == null,
          "%s is given twice for the policy %s, must be given at most once."
              .formatted(OPTION, policy));
    }
    return given;
  }

  private static JsonNode value(String policy, String text) {
    if (!text.startsWith("@")) {
      return TreeBinder.parse("policy " + policy, text);
    }
    String file = text.substring(1);
    return TreeBinder.parse("policy " + policy + ", " + file, InputFile.text(file, OPTION));
  }

  private static List<String> problems(ConfigException wrong) {
    return String.valueOf(wrong.getMessage()).lines().toList();
  }
}
