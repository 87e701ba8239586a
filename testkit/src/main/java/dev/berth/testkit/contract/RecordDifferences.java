package dev.berth.testkit.contract;

import java.lang.reflect.RecordComponent;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

/** Describes how two records of one type differ. */
final class RecordDifferences {

  private RecordDifferences() {}

  /** Returns the components that differ: {@code "serviceTime 5, but the events imply 3"}. */
  static String of(Record reported, Record expected) {
    StringJoiner words = new StringJoiner("; ");
    for (RecordComponent each : expected.getClass().getRecordComponents()) {
      Object one = value(each, reported);
      Object other = value(each, expected);
      if (!Objects.equals(one, other)) {
        words.add(
            "%s %s, but the events imply %s".formatted(each.getName(), words(one), words(other)));
      }
    }
    return words.toString();
  }

  static Object words(Object value) {
    return value instanceof Optional<?> optional
        ? optional.map(String::valueOf).orElse("none")
        : value;
  }

  static Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException impossible) { // both are public records of Berth
      throw new IllegalStateException(impossible);
    }
  }
}
