package dev.berth.core.event;

import java.util.Locale;

/** The kinds of events, found by name once for each type. */
final class Kinds {

  private static final ClassValue<Event.Kind> KINDS =
      new ClassValue<>() {
        @Override
        protected Event.Kind computeValue(Class<?> type) {
          return Event.Kind.valueOf(
              type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
        }
      };

  private Kinds() {}

  /** Returns the kind of a type of events: {@code HOST_ADDED} of {@code HostAdded}. */
  static Event.Kind of(Class<?> type) {
    return KINDS.get(type);
  }
}
