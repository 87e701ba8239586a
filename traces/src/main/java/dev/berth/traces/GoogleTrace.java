package dev.berth.traces;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The tables of the Google cluster trace of 2011 (ClusterData2011_2): files without a header, cut
 * into parts.
 *
 * <p>Times are in microseconds: 0 is before the trace, the trace begins at 600 s, and the greatest
 * {@code long} is after its end. In Berth the trace begins at 0.
 */
final class GoogleTrace {

  static final String NAME = "google-2011";
  static final String TASK_EVENTS = "task_events";
  static final String TASK_CONSTRAINTS = "task_constraints";
  static final String MACHINE_EVENTS = "machine_events";
  static final String MACHINE_ATTRIBUTES = "machine_attributes";

  /** After the end of the trace. */
  static final long AFTER = Long.MAX_VALUE;

  private static final long MICRO = 1_000;
  private static final long BEGIN = 600_000_000; // microseconds
  private static final long LATEST = 36_500L * 86_400 * 1_000_000; // as other times
  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

  private GoogleTrace() {}

  /** Returns a time in nanoseconds after the trace began; {@link #AFTER} if it is after its end. */
  static long time(Field field) {
    long micros = field.wholeLong(0, Long.MAX_VALUE);
    if (micros == Long.MAX_VALUE) {
      return AFTER;
    }
    if (micros > LATEST) {
      throw field.wrong("must be at most a century, in microseconds, or 2^63-1");
    }
    return Math.max(0, micros - BEGIN) * MICRO;
  }

  /**
   * Returns the files of a table, in order.
   *
   * @param input one of its files; or its folder; or a folder that holds that, or its files with
   *     the name of the table in front
   */
  static List<Input> parts(Input input, String table) {
    if (!input.isFolder()) {
      return List.of(input);
    }
    if (input.name().equals(table)) {
      return members(input, "part-");
    }
    return input.members().stream()
        .filter(each -> each.isFolder() && each.name().equals(table))
        .findFirst()
        .map(folder -> members(folder, "part-"))
        .orElseGet(() -> members(input, table));
  }

  private static List<Input> members(Input folder, String start) {
    return folder.members().stream()
        .filter(each -> each.name().startsWith(start) && !each.isFolder())
        .toList();
  }

  /** Returns the files of another table that stands beside the one that was named, if there is. */
  static List<Input> partsBeside(Input input, String table, String other) {
    if (input.isFolder() && !input.name().equals(table)) {
      return parts(input, other);
    }
    return input.sibling(table, other).map(each -> parts(each, other)).orElse(List.of());
  }

  /** Returns whether a line has so many fields, whole numbers where some are told to be. */
  static boolean looksLike(String line, int size, int... numbers) {
    String[] fields = COMMA.split(line, -1);
    if (fields.length != size) {
      return false;
    }
    for (int each : numbers) {
      if (!NUMBER.matcher(fields[each]).matches()) {
        return false;
      }
    }
    return true;
  }
}
