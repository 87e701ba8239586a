package dev.berth.experiments.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.Trials;
import dev.berth.traces.input.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that no author of an experiment means end with a message that names their place. */
class HostileExperimentTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String FULL =
      """
      {"name": "n", "description": "d",
       "workloads": [{"from": "requests.csv", "label": "l", "classes": "", "skipBad": 0,
         "sample": {"groups": 1, "share": 1, "number": 1, "seed": 1}}],
       "infrastructures": [{"from": "hosts.csv", "label": "h", "sized": false, "seed": 1}],
       "scales": [1], "policies": [{"policy": "priority", "label": "p", "config": {"patience": 1}}],
       "seeds": [1], "until": "10m", "watchdog": "10s", "apart": "1s", "margin": "0s", "overheads": ["2s"],
       "hotOverheads": ["1s"],
       "termination": "3s", "decisionTimes": ["2s"], "plainDecisionTimes": ["0s"], "bounds": false, "reference": "p",
       "metrics": {"interval": "1m", "sample": "30s",
         "penalties": {"gold": [{"below": 0.5, "bonus": 2}]}}}
      """;

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1.5",
          "1e308",
          "1e999",
          "99999999999999999999",
          "\"\"",
          "\"x\"",
          "\"\\u0000\"",
          "\"1ns\"",
          "\"292y\"",
          "\"106751d\"",
          "\"0s\"",
          "[]",
          "[null]",
          "[[]]",
          "[{}]",
          "[\"\"]",
          "[\"1ns\"]",
          "[0]",
          "{}",
          "{\"\":null}",
          "{\"gold\":null}",
          "{\"gold\":[null]}",
          "{\"gold\":{}}",
          "{\"gold\":[]}",
          "{\"gold\":[{\"below\":null}]}");

  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() {
    Trials.writeFiles(folder);
  }

  /** Places in the full experiment, as JSON pointers. */
  static List<String> places() throws JsonProcessingException {
    List<String> places = new ArrayList<>();
    collect("", MAPPER.readTree(FULL), places);
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

  @ParameterizedTest
  @MethodSource("places")
  void everyMemberWithEveryOtherValueIsLoadedOrExplained(String place)
      throws JsonProcessingException {
    Stream<String> huge =
        Stream.of(
            MAPPER.writeValueAsString("x".repeat(100_000)),
            Collections.nCopies(20_000, "1").toString(),
            Collections.nCopies(20_000, "\"1s\"").toString(),
            Collections.nCopies(20_000, "null").toString());
    for (String value : Stream.concat(VALUES.stream(), huge).toList()) {
      ObjectNode tree = (ObjectNode) MAPPER.readTree(FULL);
      int slash = place.lastIndexOf('/');
      JsonNode parent = tree.at(place.substring(0, slash));
      String key = place.substring(slash + 1);
      JsonNode replaced = MAPPER.readTree(value);
      if (parent instanceof ObjectNode object) {
        object.set(key, replaced);
      } else {
        ((ArrayNode) parent).set(Integer.parseInt(key), replaced);
      }
      try {
        Trials.load(folder, tree.toString());
      } catch (ConfigException | InputException explained) {
        assertThat(explained.getMessage()).isNotBlank().doesNotContain("Exception");
        assertThat(explained.getMessage().length()).isLessThan(60 * 1_500);
      } catch (RuntimeException | StackOverflowError unexplained) {
        throw new AssertionError(
            place + " = " + value.substring(0, Math.min(60, value.length())), unexplained);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'seeds':[null] | seeds[0] was null, must have a value.",
        "'scales':[1,null] | scales[1] was null, must have a value.",
        "'overheads':[] | overheads was [], must hold at least one duration. Maybe [\"0s\"].",
        "'hotOverheads':[null] | hotOverheads[0] was null, must have a value.",
        "'metrics':{'penalties':{'gold':null}} | metrics.penalties.gold was null, must be a list "
            + "of tiers.",
        "'metrics':{'penalties':{'gold':[null]}} | metrics.penalties.gold[0] was null, must have "
            + "a value.",
        "'overheads':['36501d'] | overheads was \"36501d\", must be at most 36500d.",
        "'until':'36501d' | until was \"36501d\", must be at most 36500d.",
      })
  void explainsValuesThatBindingDoesNotExpect(String more, String expected) {
    assertThatThrownBy(() -> Trials.spec("{'workloads':['a'],'policies':['p']," + more + "}"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("experiment trial.json: " + expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'watchdog':'1ns' | watchdog was \"1ns\", must be at least 36001ns, a 100000000-th of the "
            + "end 1h.",
        "'watchdog':['1m','10s'],'apart':'31s' | apart was \"31s\", must be at most the watchdog, "
            + "10s: the longest time between two passes.",
        "'apart':'31s' | apart was \"31s\", must be at most the watchdog, 30s: the longest time "
            + "between two passes.",
        "'metrics':{'sample':'1ns'} | metrics.sample was \"1ns\", must be at least 360001ns, a "
            + "10000000-th of the end 1h.",
      })
  void stepsThatWouldNeverEndAreRefused(String more, String expected) {
    assertThatThrownBy(() -> Trials.onFiles(folder, "," + more))
        .isInstanceOf(ConfigException.class)
        .hasMessage("experiment: " + expected);
  }

  @Test
  void tooManyRunsAreRefused() {
    List<Integer> seeds = Stream.iterate(1, each -> each + 1).limit(1_000).toList();
    List<Double> scales =
        Stream.iterate(1, each -> each + 1).limit(101).map(each -> each / 101.0).toList();
    assertThatThrownBy(() -> Trials.onFiles(folder, ",'seeds':" + seeds + ",'scales':" + scales))
        .hasMessage("experiment: the number of runs was 303000, must be at most 100000.");
    String paces =
        ",'watchdog':['1s','2s','3s','4s','5s','6s'],'margin':['0s','1s','2s','3s','4s','5s']";
    assertThatThrownBy(() -> Trials.onFiles(folder, ",'seeds':" + seeds + paces))
        .hasMessage("experiment: the number of runs was 108000, must be at most 100000.");
  }
}
