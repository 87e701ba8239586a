package dev.berth.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Described;
import dev.berth.core.config.tree.TreeBinder;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A key of a configuration, explained for users.
 *
 * @param path the key; keys of objects within each other are joined by a dot
 * @param type the type in words: {@code "duration"}, {@code "whole number"}
 * @param range the values that are valid; empty if all values of the type are
 * @param unit the unit of a number; empty if it has none
 * @param defaultValue the default, as JSON
 * @param meaning what the key sets, without a full stop; empty if its author does not say
 */
public record ConfigKey(
    String path, String type, String range, String unit, String defaultValue, String meaning) {

  /**
   * Returns the keys of a configuration with its values as defaults, in the order of the record.
   */
  public static List<ConfigKey> of(Record defaults) {
    List<ConfigKey> keys = new ArrayList<>();
    collect("", defaults.getClass(), TreeBinder.toJson(defaults), keys);
    return keys;
  }

  private static void collect(
      String prefix, Class<?> type, JsonNode defaults, List<ConfigKey> keys) {
    for (RecordComponent each : type.getRecordComponents()) {
      JsonNode value = defaults.path(each.getName());
      String path = prefix + each.getName();
      if (each.getType().isRecord() && value.isObject()) {
        collect(path + ".", each.getType(), value, keys);
      } else {
        keys.add(of(path, each, value));
      }
    }
  }

  private static ConfigKey of(String path, RecordComponent component, JsonNode value) {
    Optional<Described> words = Optional.ofNullable(component.getAnnotation(Described.class));
    Class<?> type = component.getType();
    return new ConfigKey(
        path,
        inWords(type),
        type.isEnum() ? constants(type) : words.map(Described::range).orElse(""),
        words.map(Described::unit).orElse(""),
        value.toString(),
        words.map(Described::value).orElse(""));
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  private static String inWords(Class<?> type) {
    if (type == Duration.class) {
      return "duration";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == double.class || type == Double.class) {
      return "number";
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return "whole number";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "list";
    }
    return type == String.class || type.isEnum() ? "text" : "object";
  }
}
