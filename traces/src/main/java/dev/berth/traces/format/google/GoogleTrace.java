package dev.berth.traces.format.google;

import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.util.Cells;
import dev.berth.traces.internal.util.Digits;
import java.util.List;

/**
 * The tables of the Google cluster trace of 2011 (ClusterData2011_2). They have no header and are
 * split into several files.
 *
 * <p>Times are in microseconds. The trace begins at 600 s; 0 means before it and the greatest
 * {@code long} means after its end. In Berth the trace begins at 0.
 */
public final class GoogleTrace {

  static final String NAME = "google-2011";
  static final String TASK_EVENTS = "task_events";
  static final String TASK_CONSTRAINTS = "task_constraints";
  static final String MACHINE_EVENTS = "machine_events";
  static final String MACHINE_ATTRIBUTES = "machine_attributes";

  /** A time after the end of the trace. */
  static final long AFTER = Long.MAX_VALUE;

  private static final long MICRO = 1_000;
  private static final long BEGIN = 600_000_000; // microseconds
  private static final long LATEST = 36_500L * 86_400 * 1_000_000; // a century, as in Field
  private static final int MOST_DIGITS = 19; // of a long

  private GoogleTrace() {}

  /** Returns a time in nanoseconds since the start of the trace; {@link #AFTER} after its end. */
  static long time(Field field) {
    long micros = field.wholeLong(0, Long.MAX_VALUE);
    if (micros == Long.MAX_VALUE) {
      return AFTER;
    }
    field.refuseIf(micros > LATEST, "must be at most a century, in microseconds, or 2^63-1");
    return Math.max(0, micros - BEGIN) * MICRO;
  }

  /**
   * Returns the files of a table, in order.
   *
   * @param input a file of the table, its folder, or a folder that contains either its folder or
   *     its files with the name of the table as prefix
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

  /** Returns the files of another table that is beside the input; empty if there is none. */
  static List<Input> partsBeside(Input input, String table, String other) {
    if (input.isFolder() && !input.name().equals(table)) {
      return parts(input, other);
    }
    return input.sibling(table, other).map(each -> parts(each, other)).orElse(List.of());
  }

  /**
   * Returns whether a line appears to be a row of {@code task_events}. Formats with similar rows
   * use it to tell theirs apart.
   */
  public static boolean isTaskEvent(String line) {
    return looksLike(line, GoogleWorkloadFormat.FIELDS.size(), 0, 2, 3, 5, 8);
  }

  /** Returns whether a line has a number of fields, and whole numbers in some of them. */
  static boolean looksLike(String line, int size, int... numbers) {
    List<String> fields = Cells.split(line, ',');
    if (fields.size() != size) {
      return false;
    }
    for (int each : numbers) {
      String field = fields.get(each);
      if (field.length() > MOST_DIGITS || !Digits.only(field, 0)) {
        return false;
      }
    }
    return true;
  }
}
