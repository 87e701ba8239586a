package dev.berth.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.InputFile;
import dev.berth.core.config.tree.TreeBinder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Configurations of policies as given by the user: {@code POLICY=JSON} or {@code POLICY=@FILE}. */
final class PolicyConfigs {

  private static final String OPTION = "--config";

  private PolicyConfigs() {}

  /**
   * Reads the options.
   *
   * @param options as given, at most one for each policy
   * @param chosen ids of the policies that are run
   * @return the user's values, by id of the policy
   * @throws BadInputException if one is malformed, is about a policy that is not run, or repeats
   *     one
   * @throws dev.berth.core.error.ConfigException if one is not JSON
   */
  static Map<String, JsonNode> parse(List<String> options, Collection<String> chosen) {
    Map<String, JsonNode> configs = new LinkedHashMap<>();
    for (String option : options) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new BadInputException(
            "%s was \"%s\", must be POLICY=JSON or POLICY=@FILE. Maybe you meant %s=%s."
                .formatted(OPTION, option, chosen.iterator().next(), option.substring(equals + 1)));
      }
      String policy = option.substring(0, equals);
      if (!chosen.contains(policy)) {
        throw new BadInputException(
            "%s is about the policy %s, which is not run. Policies that run: %s."
                .formatted(OPTION, policy, String.join(", ", chosen)));
      }
      if (configs.put(policy, value(policy, option.substring(equals + 1))) != null) {
        throw new BadInputException(
            "%s is given twice for the policy %s, must be given at most once."
                .formatted(OPTION, policy));
      }
    }
    return configs;
  }

  private static JsonNode value(String policy, String text) {
    if (!text.startsWith("@")) {
      return TreeBinder.parse("policy " + policy, text);
    }
    String file = text.substring(1);
    return TreeBinder.parse("policy " + policy + ", " + file, InputFile.text(file, OPTION));
  }
}
