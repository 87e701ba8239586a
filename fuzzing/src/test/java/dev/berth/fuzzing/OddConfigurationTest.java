package dev.berth.fuzzing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.test.TestRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every key of every policy's configuration, and of an experiment, with every odd value; then
 * several at once, drawn with a seed. Each configuration is bound, or refused with a clear error. A
 * sample of those that are bound runs for a short time.
 *
 * <p>Jazzer changes bytes and seldom produces a configuration that is well formed but odd.
 */
@Timeout(1_200)
class OddConfigurationTest {

  /** How many configurations have several odd values. */
  private static final int MIXED = Integer.getInteger("berth.configs", TestRun.cases(2_000));

  private static final Duration LONGEST_RUN = Duration.ofMinutes(10);
  private static final int RUNS_OF = 8; // one of so many that are bound runs
  private static final int PLACES = 4; // odd values in one configuration, at most
  private static final String HERE = "@odd@";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final PolicyRegistry POLICIES = PolicyRegistry.load();

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-0",
          "-1",
          "1",
          "2",
          "0.5",
          "-0.5",
          "1e-320",
          "1e308",
          "1e999",
          "-1e999",
          "NaN",
          "Infinity",
          "2147483648",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "9".repeat(900),
          "1" + "0".repeat(1_100),
          "\"\"",
          "\" \"",
          "\"x\"",
          "\"NaN\"",
          "\"1\"",
          "\"0s\"",
          "\"1ns\"",
          "\"-1s\"",
          "\"292y\"",
          "\"106751d\"",
          "\"36500d\"",
          "\"\\u0000\\u202e\\n\"",
          "\"\\ud800\"",
          "\"" + "y".repeat(100_000) + "\"",
          "[]",
          "[null]",
          "[[[]]]",
          "[1,1]",
          "[\"x\",\"x\"]",
          "{}",
          "{\"\":null}",
          "{\"a\":{\"a\":{\"a\":1}}}",
          "{\"a\":1,\"a\":2}",
          "1,\"unknown\":1",
          "[".repeat(1_100) + "]".repeat(1_100),
          "'x'",
          "/**/1",
          "01");

  private static final String EXPERIMENT =
      """
      {"name": "n", "description": "d",
       "workloads": [{"from": "validation-2", "label": "l", "classes": "", "skipBad": 0,
         "sample": {"groups": 1, "share": 1, "number": 1, "seed": 1}}],
       "infrastructures": [{"from": "hosts.csv", "label": "h", "sized": false, "seed": 1}],
       "scales": [1], "policies": [{"policy": "priority", "label": "p", "config": {}}],
       "seeds": [1], "until": "10m", "watchdog": "10s", "margin": "0s", "overheads": ["2s"],
       "hotOverheads": ["1s"], "bounds": false, "reference": "p",
       "metrics": {"interval": "1m", "sample": "30s",
         "penalties": {"gold": [{"below": 0.5, "bonus": 2}]}}}
      """;

  private final Random random = new Random(58_890);
  private int tried;
  private int bound;
  private int run;

  @Test
  void everyKeyWithEveryValueIsBoundOrExplained() {
    for (String policy : POLICIES.ids()) {
      ObjectNode defaults = TreeBinder.toJson(POLICIES.get(policy).defaults());
      for (String place : places(defaults)) {
        VALUES.forEach(value -> tryPolicy(policy, with(defaults, List.of(place), List.of(value))));
      }
      VALUES.forEach(value -> tryPolicy(policy, value));
    }
    assertThat(tried).isGreaterThan(POLICIES.ids().size() * 5 * VALUES.size());
    assertThat(bound).isGreaterThan(tried / 50);
    assertThat(run).isGreaterThan(10);
    report("systematic");
  }

  @Test
  void severalOddValuesAreBoundOrExplained() {
    for (int i = 0; i < MIXED; i++) {
      List<String> ids = POLICIES.ids();
      String policy = ids.get(random.nextInt(ids.size()));
      ObjectNode defaults = TreeBinder.toJson(POLICIES.get(policy).defaults());
      tryPolicy(policy, mixed(defaults));
    }
    assertThat(tried).isEqualTo(MIXED);
    assertThat(bound).isPositive();
    report("mixed");
  }

  @Test
  void experimentsAreLoadedOrExplained() throws IOException {
    ObjectNode whole = (ObjectNode) MAPPER.readTree(EXPERIMENT);
    for (String place : places(whole)) {
      VALUES.forEach(value -> tryExperiment(with(whole, List.of(place), List.of(value))));
    }
    for (int i = 0; i < MIXED / 10; i++) {
      tryExperiment(mixed(whole));
    }
    assertThat(tried).isGreaterThan(1_000);
    report("experiments");
  }

  private void report(String what) {
    System.out.printf("%s: %s tried, %s bound, %s run%n", what, tried, bound, run);
  }

  private String mixed(ObjectNode whole) {
    List<String> all = places(whole);
    List<String> places = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (int i = random.nextInt(PLACES); i >= 0 && !all.isEmpty(); i--) {
      places.add(all.get(random.nextInt(all.size())));
      values.add(VALUES.get(random.nextInt(VALUES.size())));
    }
    return with(whole, places, values);
  }

  private void tryExperiment(String json) {
    tried++;
    try {
      Target.EXPERIMENTS.run(json.getBytes(UTF_8));
    } catch (RuntimeException | Error finding) {
      throw new AssertionError(json, finding);
    }
  }

  private void tryPolicy(String policy, String json) {
    tried++;
    try {
      Target.POLICY_CONFIGS.run((policy + ":" + json).getBytes(UTF_8));
      PolicyChoice<?> choice =
          PolicyChoice.of(
              POLICIES.get(policy),
              TreeBinder.parse("policy " + policy, json),
              Duration.ofSeconds(30),
              Duration.ofSeconds(2));
      bound++;
      if (random.nextInt(RUNS_OF) == 0) {
        run++;
        assertTimeoutPreemptively(LONGEST_RUN, () -> run(choice), "run");
      }
    } catch (ConfigException explained) {
      // Checked by the target.
    } catch (RuntimeException | Error finding) {
      throw new AssertionError(policy + ": " + json, finding);
    }
  }

  private static void run(PolicyChoice<?> choice) {
    Scenario scenario = BuiltInWorkloads.get("validation-1", 1, Duration.ofSeconds(30));
    choice.simulate(
        scheduler ->
            Simulation.builder()
                .workload(scenario.workload())
                .infrastructure(scenario.infrastructure())
                .scheduler(scheduler),
        simulation -> {
          simulation.runUntil(Duration.ofMinutes(3));
          return simulation.events();
        });
  }

  /** Returns the places of all members and elements, as JSON pointers. */
  private static List<String> places(JsonNode tree) {
    List<String> places = new ArrayList<>();
    collect("", tree, places);
    return places;
  }

  private static void collect(String here, JsonNode node, List<String> places) {
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      places.add(here + "/" + each.getKey());
      collect(here + "/" + each.getKey(), each.getValue(), places);
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      places.add(here + "/" + i);
      collect(here + "/" + i, node.get(i), places);
    }
  }

  /** Returns a tree as text, with other texts in some places, which need not be JSON. */
  private static String with(ObjectNode whole, List<String> places, List<String> values) {
    ObjectNode tree = whole.deepCopy();
    for (int i = 0; i < places.size(); i++) {
      String place = places.get(i);
      int slash = place.lastIndexOf('/');
      JsonNode parent = tree.at(place.substring(0, slash));
      String key = place.substring(slash + 1);
      if (parent instanceof ObjectNode object) {
        object.set(key, new TextNode(HERE + i));
      } else if (parent instanceof ArrayNode array) {
        array.set(Integer.parseInt(key), new TextNode(HERE + i));
      } // otherwise an earlier value has replaced it
    }
    String text = tree.toString();
    for (int i = 0; i < places.size(); i++) {
      text = text.replace('"' + HERE + i + '"', values.get(i));
    }
    return text;
  }
}
