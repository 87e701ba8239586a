package dev.berth.policies.qos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads plain data that a memory saved. */
final class SavedData {

  private SavedData() {}

  static List<?> list(Object saved) {
    if (saved instanceof List<?> list) {
      return list;
    }
    throw refused(saved, "a list");
  }

  static List<?> list(Object saved, int size) {
    List<?> list = list(saved);
    if (list.size() == size) {
      return list;
    }
    throw refused(saved, "%s elements".formatted(size));
  }

  static long number(@Nullable Object saved) {
    if (saved instanceof Long number) {
      return number;
    }
    throw refused(saved, "a whole number");
  }

  static String text(@Nullable Object saved) {
    if (saved instanceof String text) {
      return text;
    }
    throw refused(saved, "a text");
  }

  private static IllegalArgumentException refused(@Nullable Object saved, String expected) {
    return new IllegalArgumentException("history had %s, must have %s.".formatted(saved, expected));
  }
}
