package dev.berth.core.snapshot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Copies of plain data in an order that is the same everywhere. */
final class Plain {

  private Plain() {}

  /** Returns an unmodifiable copy in ascending order of the keys. */
  static <V> Map<String, V> sorted(Map<String, V> map) {
    return map.size() < 2 ? Map.copyOf(map) : Collections.unmodifiableMap(new TreeMap<>(map));
  }

  /**
   * Returns an unmodifiable deep copy, with whole numbers as {@link Long} and others as {@link
   * Double}.
   *
   * @throws IllegalArgumentException if a value is not plain, with its path
   */
  static Map<String, Object> copy(String path, Map<?, ?> map) {
    Map<String, Object> copy = new TreeMap<>();
    map.forEach(
        (key, value) -> {
          if (!(key instanceof String name)) {
            throw new IllegalArgumentException(
                "%s has the key %s, must have text as keys.".formatted(path, key));
          }
          copy.put(name, value(path + "." + name, value));
        });
    return Collections.unmodifiableMap(copy);
  }

  private static Object value(String path, @Nullable Object value) {
    if (value instanceof String || value instanceof Boolean) {
      return value;
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      if (Double.isNaN(number) || Double.isInfinite(number)) {
        throw new IllegalArgumentException("%s was %s, must be finite.".formatted(path, number));
      }
      return number;
    }
    if (value instanceof Map<?, ?> map) {
      return copy(path, map);
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>(list.size());
      for (Object each : list) {
        copy.add(value(path + "[" + copy.size() + "]", each));
      }
      return Collections.unmodifiableList(copy);
    }
    throw new IllegalArgumentException(
        "%s was %s, must be text, a number, a boolean, a list or a map."
            .formatted(path, value == null ? "null" : "a " + value.getClass().getName()));
  }
}
