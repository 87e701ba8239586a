package dev.berth.api;

import java.util.Locale;

/** The codes of reasons, computed once for each type. */
final class ReasonCode {

  private static final ClassValue<String> CODES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return type.getSimpleName()
              .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
              .toLowerCase(Locale.ROOT);
        }
      };

  private ReasonCode() {}

  /** Returns the name of a type in lower case: {@code "short-of-capacity"}. */
  static String of(Class<?> type) {
    return CODES.get(type);
  }
}
