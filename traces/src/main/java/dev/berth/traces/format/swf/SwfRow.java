package dev.berth.traces.format.swf;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.util.Cells;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of a log in the Standard Workload Format: 18 fields separated by blanks, or 21 in logs of
 * MetaCentrum.
 */
record SwfRow(SourceLocation location, List<String> fields) {

  static final int NUMBER = 0;
  static final int SUBMIT = 1;
  static final int RUN_TIME = 3;
  static final int PROCESSORS = 4;
  static final int USED_MEMORY = 6;
  static final int ASKED_PROCESSORS = 7;
  static final int ASKED_TIME = 8;
  static final int ASKED_MEMORY = 9;
  static final int USER = 11;
  static final int PRECEDING = 16;
  static final int NODES = 20;

  private static final int FIELDS = 18;
  private static final int HOSTS = 18;
  private static final String UNKNOWN = "-1";

  static SwfRow of(SourceLocation location, String line) {
    List<String> fields = Cells.atBlanks(line, NODES + 2);
    SwfRow row = new SwfRow(location, fields);
    if (fields.size() < FIELDS) {
      throw location.error(
          "has %s fields, must have %s".formatted(fields.size(), FIELDS),
          "this is not the Standard Workload Format");
    }
    if (fields.size() > FIELDS && !row.hasNodes()) {
      throw location.error(
          "has %s fields, must have %s; or %s with used hosts, {...}, in field %s"
              .formatted(
                  fields.size() > NODES + 1 ? "more than " + (NODES + 1) : fields.size(),
                  FIELDS,
                  NODES + 1,
                  HOSTS + 1),
          "a field was inserted");
    }
    return row;
  }

  /** Returns the run time that was asked for, in nanoseconds, or 0 if it is unknown. */
  long estimate() {
    return knows(ASKED_TIME) ? field("asked time", ASKED_TIME).nanos() : 0;
  }

  /** Returns the rows of a log, without its comments. */
  static EntryReader<SwfRow> rows(Input log) {
    Lines lines = log.open();
    return Entries.ofSome(
        lines,
        line -> isComment(line) ? Optional.empty() : Optional.of(of(lines.location(), line)));
  }

  /** Returns whether a line is a header line. */
  static boolean isComment(String line) {
    return line.charAt(0) == ';';
  }

  /** Returns whether the line has used hosts and requested nodes, as logs of MetaCentrum have. */
  boolean hasNodes() {
    return fields.size() == NODES + 1 && fields.get(HOSTS).startsWith("{");
  }

  Field field(String name, int index) {
    return new Field(location, name, fields.get(index));
  }

  /** Returns whether the value of a field is known. */
  boolean knows(int index) {
    return !fields.get(index).equals(UNKNOWN);
  }

  /** Returns a whole number; empty if it is unknown, for which some logs have 0. */
  OptionalLong positive(String name, int index, long greatest) {
    if (!knows(index)) {
      return OptionalLong.empty();
    }
    long number = field(name, index).wholeLong(0, greatest);
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
