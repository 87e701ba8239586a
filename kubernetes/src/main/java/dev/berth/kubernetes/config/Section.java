package dev.berth.kubernetes.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.core.config.Durations;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * An object of a configuration that is being read. Each reader adds a problem and returns the
 * default if a value is wrong, so that all problems are found. Not thread-safe.
 */
final class Section {

  private final String path;
  private final JsonNode tree;
  private final List<Problem> problems;
  private final Set<String> known = new LinkedHashSet<>();

  /**
   * Begins to read an object.
   *
   * @param path its place; empty for the document
   * @param tree what is there; a problem unless it is an object or missing
   */
  Section(String path, JsonNode tree, List<Problem> problems) {
    this.path = path;
    this.problems = problems;
    if (!tree.isObject() && !tree.isMissingNode()) {
      problems.add(
          new Problem(
              path.isEmpty() ? "the document" : path, tree.toString(), "must be an object", ""));
    }
    this.tree = tree.isObject() ? tree : JsonNodeFactory.instance.objectNode();
  }

  /** Returns the place of a key. */
  String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Returns whether a key is given, and counts it as known. */
  boolean has(String key) {
    return !value(key).isMissingNode();
  }

  /** Adds a problem. */
  void problem(String place, Object value, String rule, String hint) {
    problems.add(new Problem(place, String.valueOf(value), rule, hint));
  }

  private JsonNode value(String key) {
    known.add(key);
    JsonNode value = tree.get(key);
    return value == null ? MissingNode.getInstance() : value;
  }

  private void wrong(String key, JsonNode value, String rule) {
    problem(at(key), value, rule, "");
  }

  /** Returns the value of a key as it is; an empty object if there is none. */
  JsonNode object(String key) {
    return section(key).tree;
  }

  /** Returns the object of a key; an empty one if there is none. */
  Section section(String key) {
    return new Section(at(key), value(key), problems);
  }

  /** Returns the objects in a list; no object if there is none. */
  List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    List<JsonNode> nodes = list(at(key), value(key));
    for (int i = 0; i < nodes.size(); i++) {
      sections.add(new Section("%s[%s]".formatted(at(key), i), nodes.get(i), problems));
    }
    return sections;
  }

  private List<JsonNode> list(String place, JsonNode value) {
    List<JsonNode> nodes = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(nodes::add);
    } else if (!value.isMissingNode()) {
      problem(place, value, "must be a list", "");
    }
    return nodes;
  }

  /** Returns the texts in a list that keep a rule. */
  List<String> texts(String key, Predicate<String> valid, String rule) {
    return texts(at(key), value(key), valid, rule);
  }

  private List<String> texts(String place, JsonNode list, Predicate<String> valid, String rule) {
    List<String> texts = new ArrayList<>();
    List<JsonNode> nodes = list(place, list);
    for (int i = 0; i < nodes.size(); i++) {
      text("%s[%s]".formatted(place, i), nodes.get(i), valid, rule).ifPresent(texts::add);
    }
    return texts;
  }

  /** Returns the lists of texts in a list. */
  List<List<String>> textLists(String key, Predicate<String> valid, String rule) {
    List<List<String>> lists = new ArrayList<>();
    List<JsonNode> nodes = list(at(key), value(key));
    for (int i = 0; i < nodes.size(); i++) {
      lists.add(texts("%s[%s]".formatted(at(key), i), nodes.get(i), valid, rule));
    }
    return lists;
  }

  /** Returns the texts of an object by their names. */
  Map<String, String> textMap(
      String key, Predicate<String> validName, Predicate<String> valid, String rule) {
    Map<String, String> texts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : object(key).properties()) {
      String place = at(key) + "." + each.getKey();
      JsonNode value = each.getValue();
      if (!validName.test(each.getKey())) {
        problem(place, each.getKey(), "must have a key that is the key of a label", "");
      } else if (!value.isTextual()) {
        problem(place, value, "must be a text", "Maybe put it in quotes.");
      } else if (!valid.test(value.textValue())) {
        problem(place, value, rule, "");
      } else {
        texts.put(each.getKey(), value.textValue());
      }
    }
    return texts;
  }

  /** Returns a text that keeps a rule; empty without one. */
  Optional<String> text(String key, Predicate<String> valid, String rule) {
    return has(key) ? text(at(key), value(key), valid, rule) : Optional.empty();
  }

  private Optional<String> text(
      String place, JsonNode value, Predicate<String> valid, String rule) {
    if (value.isTextual() && valid.test(value.textValue())) {
      return Optional.of(value.textValue());
    }
    problem(place, value, value.isTextual() ? rule : "must be a text", "");
    return Optional.empty();
  }

  /** Returns a text that has to be given; empty if it is not, or wrong. */
  Optional<String> requiredText(String key, Predicate<String> valid, String rule) {
    if (!has(key)) {
      problem(at(key), "missing", rule, "");
      return Optional.empty();
    }
    return text(key, valid, rule);
  }

  /** Returns a whole number. */
  int whole(String key, int least, int most, int defaultValue) {
    Predicate<JsonNode> isInRange =
        value ->
            value.isIntegralNumber()
                && value.canConvertToInt()
                && value.intValue() >= least
                && value.intValue() <= most;
    return given(key, isInRange, "must be a whole number from %s to %s".formatted(least, most))
        .map(JsonNode::intValue)
        .orElse(defaultValue);
  }

  /** Returns a share; empty without one, or if it is wrong. */
  Optional<Double> share(String key, double least) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    double share = value.doubleValue();
    if (value.isNumber() && share >= least && share <= 1) {
      return Optional.of(share);
    }
    boolean percentage = value.isNumber() && share > 1 && share <= 100;
    problem(
        at(key),
        value,
        "must be a number from %s to 1".formatted(least == 0 ? "0" : String.valueOf(least)),
        percentage ? "Maybe you meant %s (a share, not a percentage).".formatted(share / 100) : "");
    return Optional.empty();
  }

  /** Returns true or false. */
  boolean flag(String key, boolean defaultValue) {
    return given(key, JsonNode::isBoolean, "must be true or false")
        .map(JsonNode::booleanValue)
        .orElse(defaultValue);
  }

  /** Returns the value of a key if it is given and keeps a rule. */
  private Optional<JsonNode> given(String key, Predicate<JsonNode> valid, String rule) {
    JsonNode value = value(key);
    if (valid.test(value)) {
      return Optional.of(value);
    }
    if (!value.isMissingNode()) {
      wrong(key, value, rule);
    }
    return Optional.empty();
  }

  /** Returns a duration from {@code least} to {@code most}. */
  Duration duration(String key, Duration least, Duration most, Duration defaultValue) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return defaultValue;
    }
    Duration duration;
    try {
      if (!value.isTextual()) {
        throw new IllegalArgumentException("no text");
      }
      duration = Durations.parse(value.textValue());
    } catch (IllegalArgumentException malformed) {
      problem(
          at(key),
          value,
          Durations.RULE,
          value.isNumber() ? "Maybe you meant %ss.".formatted(value) : "");
      return defaultValue;
    }
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      wrong(
          key,
          value,
          "must be from %s to %s".formatted(Durations.format(least), Durations.format(most)));
      return defaultValue;
    }
    return duration;
  }

  /** Returns a constant of an enumeration. */
  <E extends Enum<E>> E constant(String key, E defaultValue) {
    Map<String, E> constants = new LinkedHashMap<>();
    for (E each : defaultValue.getDeclaringClass().getEnumConstants()) {
      constants.put(each.toString(), each);
    }
    return given(
            key,
            value -> constants.containsKey(value.textValue()),
            "must be one of " + String.join(", ", constants.keySet()))
        .map(value -> constants.get(value.textValue()))
        .orElse(defaultValue);
  }

  /** Reports the keys that nothing has asked for. */
  void end() {
    for (Map.Entry<String, JsonNode> each : tree.properties()) {
      if (!known.contains(each.getKey())) {
        problem(
            at(each.getKey()),
            each.getValue(),
            "but there is no such key",
            NearestName.hintAndList(each.getKey(), List.copyOf(known)));
      }
    }
  }
}
