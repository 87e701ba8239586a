package dev.berth.benchmarks.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.experiments.study.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the file of scenarios. */
public final class Scenarios {

  private static final String FILE = "scenarios.json";

  private Scenarios() {}

  /** Returns all scenarios of the file by name, in its order. */
  public static Map<String, BenchmarkScenario> all() {
    return parse(FILE, Resource.text(Scenarios.class, FILE));
  }

  /**
   * Returns a scenario of the file.
   *
   * @throws IllegalArgumentException if no scenario has this name
   */
  public static BenchmarkScenario get(String name) {
    Map<String, BenchmarkScenario> all = all();
    BenchmarkScenario found = all.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "scenario was %s, must be one of %s.".formatted(name, String.join(", ", all.keySet())));
    }
    return found;
  }

  /**
   * Reads scenarios by name.
   *
   * @param file name of the JSON file, for messages
   * @throws ConfigException if the JSON is invalid; lists all problems
   */
  static Map<String, BenchmarkScenario> parse(String file, String json) {
    JsonNode tree = TreeBinder.parse(file, json);
    if (!tree.isObject()) {
      throw new ConfigException(
          file, List.of(new Problem("all of it", tree.toString(), "must be a JSON object", "")));
    }
    Map<String, BenchmarkScenario> scenarios = new LinkedHashMap<>();
    List<Problem> problems = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : tree.properties()) {
      try {
        scenarios.put(
            each.getKey(),
            TreeBinder.bind(
                file,
                each.getKey(),
                BenchmarkScenario.class,
                BenchmarkScenario.DEFAULTS,
                each.getValue()));
      } catch (ConfigException wrong) {
        problems.addAll(wrong.problems());
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(file, problems);
    }
    return Collections.unmodifiableMap(scenarios);
  }
}
