package dev.berth.testkit.contract;

import java.lang.reflect.RecordComponent;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

/** In what two records of one kind differ, in words. */
final class RecordDifferences {

  private RecordDifferences() {}

  /** Returns the components that differ: {@code "serviceTime 5, but the events say 3"}. */
  static String of(Record told, Record booked) {
    StringJoiner words = new StringJoiner("; ");
    for (RecordComponent each : booked.getClass().getRecordComponents()) {
      Object one = value(each, told);
      Object other = value(each, booked);
      if (!Objects.equals(one, other)) {
        words.add(
            "%s %s, but the events say %s".formatted(each.getName(), words(one), words(other)));
      }
    }
    return words.toString();
  }

  private static Object words(Object value) {
    return value instanceof Optional<?> optional
        ? optional.map(String::valueOf).orElse("none")
        : value;
  }

  private static Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException impossible) { // both are public records of ours
      throw new IllegalStateException(impossible);
    }
  }
}
