package dev.berth.kubernetes.meaning;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads fields of the client's model classes, all of which may be null. */
final class Nulls {

  private Nulls() {}

  /** Returns a list without its null elements; empty for null. */
  static <T> List<T> list(@Nullable List<T> list) {
    if (list == null) {
      return List.of();
    }
    List<T> present = new ArrayList<>(list);
    present.removeIf(Objects::isNull);
    return present;
  }

  /** Returns a map without null keys and values, in ascending order of key; empty for null. */
  static <T> Map<String, T> map(@Nullable Map<String, T> map) {
    if (map == null) {
      return Map.of();
    }
    Map<String, T> present = new TreeMap<>();
    map.forEach(
        (key, value) -> {
          if (key != null && value != null) {
            present.put(key, value);
          }
        });
    return Collections.unmodifiableMap(present);
  }

  /** Returns a text; empty for null. */
  static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** Returns whether a flag is set; null is not. */
  static boolean isTrue(@Nullable Boolean flag) {
    return flag != null && flag;
  }
}
