package dev.berth.kubernetes.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.core.config.Durations;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    JsonNode value = value(key);
    if (!value.isObject() && !value.isMissingNode()) {
      wrong(key, value, "must be an object");
    }
    return value.isObject() ? value : JsonNodeFactory.instance.objectNode();
  }

  /** Returns the object of a key; an empty one if there is none. */
  Section section(String key) {
    return new Section(at(key), value(key), problems);
  }

  /** Returns the objects in a list; no object if there is none. */
  List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    List<JsonNode> nodes = list(key);
    for (int i = 0; i < nodes.size(); i++) {
      sections.add(new Section("%s[%s]".formatted(at(key), i), nodes.get(i), problems));
    }
    return sections;
  }

  private List<JsonNode> list(String key) {
    JsonNode value = value(key);
    List<JsonNode> nodes = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(nodes::add);
    } else if (!value.isMissingNode()) {
      wrong(key, value, "must be a list");
    }
    return nodes;
  }

  /** Returns the texts in a list that keep a rule. */
  List<String> texts(String key, Predicate<String> valid, String rule) {
    return texts(at(key), list(key), valid, rule);
  }

  private List<String> texts(
      String place, List<JsonNode> nodes, Predicate<String> valid, String rule) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      JsonNode each = nodes.get(i);
      if (each.isTextual() && valid.test(each.textValue())) {
        texts.add(each.textValue());
      } else {
        problem("%s[%s]".formatted(place, i), each, each.isTextual() ? rule : "must be a text", "");
      }
    }
    return texts;
  }

  /** Returns the lists of texts in a list. */
  List<List<String>> textLists(String key, Predicate<String> valid, String rule) {
    List<List<String>> lists = new ArrayList<>();
    List<JsonNode> nodes = list(key);
    for (int i = 0; i < nodes.size(); i++) {
      String place = "%s[%s]".formatted(at(key), i);
      if (nodes.get(i).isArray()) {
        List<JsonNode> inner = new ArrayList<>();
        nodes.get(i).forEach(inner::add);
        lists.add(texts(place, inner, valid, rule));
      } else {
        problem(place, nodes.get(i), "must be a list", "");
        lists.add(List.of());
      }
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
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      wrong(key, value, "must be a text");
      return Optional.empty();
    }
    if (!valid.test(value.textValue())) {
      wrong(key, value, rule);
      return Optional.empty();
    }
    return Optional.of(value.textValue());
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
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return defaultValue;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      wrong(key, value, "must be a whole number from %s to %s".formatted(least, most));
      return defaultValue;
    }
    return value.intValue();
  }

  /** Returns a share; null without one, or if it is wrong. */
  @Nullable Double share(String key, double least) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return null;
    }
    double share = value.doubleValue();
    if (value.isNumber() && share >= least && share <= 1) {
      return share;
    }
    boolean percentage = value.isNumber() && share > 1 && share <= 100;
    problem(
        at(key),
        value,
        "must be a number from %s to 1".formatted(least == 0 ? "0" : String.valueOf(least)),
        percentage ? "Maybe you meant %s (a share, not a percentage).".formatted(share / 100) : "");
    return null;
  }

  /** Returns true or false. */
  boolean flag(String key, boolean defaultValue) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return defaultValue;
    }
    if (!value.isBoolean()) {
      wrong(key, value, "must be true or false");
      return defaultValue;
    }
    return value.booleanValue();
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
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return defaultValue;
    }
    E[] constants = defaultValue.getDeclaringClass().getEnumConstants();
    for (E each : constants) {
      if (value.isTextual() && each.toString().equals(value.textValue())) {
        return each;
      }
    }
    wrong(
        key,
        value,
        Arrays.stream(constants)
            .map(Object::toString)
            .collect(Collectors.joining(", ", "must be one of ", "")));
    return defaultValue;
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
