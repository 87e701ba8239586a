package dev.berth.api;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Copies maps of names and values that users give. */
final class Attributes {

  private Attributes() {}

  /**
   * Returns an unmodifiable copy in ascending order of name.
   *
   * @param what the map, for messages: {@code "attributes"}
   * @throws NullPointerException if the map, a name or a value is null
   */
  static Map<String, String> copy(String what, Map<String, String> given) {
    Objects.requireNonNull(given, what);
    Map<String, String> sorted = new TreeMap<>();
    given.forEach(
        (name, value) -> {
          Objects.requireNonNull(name, () -> what + " had a null name, must not be null.");
          sorted.put(
              name,
              Objects.requireNonNull(
                  value, () -> what + " had no value for " + name + ", must not be null."));
        });
    return Collections.unmodifiableMap(sorted);
  }
}
