package dev.berth.testkit.contract;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Describes how two records of one type differ. */
final class RecordDifferences {

  private RecordDifferences() {}

  /** Returns the components that differ: {@code "serviceTime 5, but the events imply 3"}. */
  static String of(Record reported, Record expected) {
    return String.join("; ", list(reported, expected, "%s %s, but the events imply %s"));
  }

  /**
   * Returns the components that differ.
   *
   * @param format of the name of a component, its value, and the other value
   */
  static List<String> list(Record record, Record other, String format) {
    List<String> differences = new ArrayList<>();
    for (RecordComponent each : other.getClass().getRecordComponents()) {
      Object one = value(each, record);
      Object two = value(each, other);
      if (!Objects.equals(one, two)) {
        differences.add(format.formatted(each.getName(), words(one), words(two)));
      }
    }
    return differences;
  }

  private static Object words(Object value) {
    return value instanceof Optional<?> optional
        ? optional.map(String::valueOf).orElse("none")
        : value;
  }

  private static Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException impossible) { // both are public records of Berth
      throw new IllegalStateException(impossible);
    }
  }
}
