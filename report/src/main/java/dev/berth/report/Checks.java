package dev.berth.report;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Rules that the parts of a document have in common. */
final class Checks {

  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]*");

  private Checks() {}

  /** Refuses an argument that is wrong, with a message as a format of its values. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  static void refuseIf(boolean wrong, String message, Object... values) {
    if (wrong) {
      throw new IllegalArgumentException(message.formatted(values));
    }
  }

  static void id(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id was '%s', must begin with a small letter and contain only a-z, 0-9 and '-'."
              .formatted(id));
    }
  }

  static void notBlank(String name, String text) {
    refuseIf(text.isBlank(), "%s was blank, must have text.", name);
  }

  static void notEmpty(String name, List<?> list) {
    refuseIf(list.isEmpty(), "%s was empty, must have an element.", name);
  }

  static void finite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "%s was %s, must be finite. Maybe omit undefined values?".formatted(name, value));
    }
  }

  static void finite(String name, OptionalDouble value) {
    value.ifPresent(present -> finite(name, present));
  }

  static void notNegative(String name, double value) {
    finite(name, value);
    refuseIf(value < 0, "%s was %s, must not be negative.", name, value);
  }

  /** Rejects numbers that are not finite or descend. */
  static void ascending(String name, double... values) {
    for (int i = 0; i < values.length; i++) {
      finite(name, values[i]);
      if (i > 0 && values[i] < values[i - 1]) {
        throw new IllegalArgumentException(
            "%s had %s before %s, must ascend.".formatted(name, values[i - 1], values[i]));
      }
    }
  }

  static <T> void unique(String name, List<T> list, Function<T, String> key) {
    Set<String> seen = new HashSet<>();
    for (T element : list) {
      if (!seen.add(key.apply(element))) {
        throw new IllegalArgumentException(
            "%s had '%s' twice, must be different.".formatted(name, key.apply(element)));
      }
    }
  }

  /** Rejects duplicate categories, and series with values for unknown categories. */
  static void categories(List<String> categories, List<? extends Series<?>> series) {
    notEmpty("categories", categories);
    unique("categories", categories, Function.identity());
    notEmpty("series", series);
    unique("series", series, Series::name);
    series.forEach(each -> known("series '%s'".formatted(each.name()), each.values(), categories));
  }

  static void known(String name, Map<String, ?> values, List<String> categories) {
    for (String category : values.keySet()) {
      if (!categories.contains(category)) {
        throw new IllegalArgumentException(
            "%s had a value for '%s', must be one of %s.".formatted(name, category, categories));
      }
    }
  }

  static void head(String id, String title, String description) {
    id(id);
    notBlank("title of " + id, title);
    notBlank("description of " + id, description);
  }
}
