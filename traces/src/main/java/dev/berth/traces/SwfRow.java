package dev.berth.traces;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** A line of a log in the Standard Workload Format: 18 or more fields between blanks. */
record SwfRow(Place place, List<String> fields) {

  static final int NUMBER = 0;
  static final int SUBMIT = 1;
  static final int RUN_TIME = 3;
  static final int PROCESSORS = 4;
  static final int USED_MEMORY = 6;
  static final int ASKED_PROCESSORS = 7;
  static final int ASKED_TIME = 8;
  static final int ASKED_MEMORY = 9;
  static final int USER = 11;
  static final int NODES = 20;

  private static final int FIELDS = 18;
  private static final int HOSTS = 18;
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String UNKNOWN = "-1";

  static SwfRow of(Place place, String line) {
    String[] fields = BLANKS.split(line, NODES + 2);
    if (fields.length < FIELDS) {
      throw place.wrong(
          "has %s fields, must have %s".formatted(fields.length, FIELDS),
          "this is not the Standard Workload Format");
    }
    return new SwfRow(place, List.of(fields));
  }

  /** Returns whether a line is one of the header. */
  static boolean isComment(String line) {
    return line.charAt(0) == ';';
  }

  /** Returns whether it tells used hosts and wanted nodes as logs of MetaCentrum do. */
  boolean tellsNodes() {
    return fields.size() > NODES && fields.get(HOSTS).startsWith("{");
  }

  Field field(String name, int index) {
    return new Field(place, name, fields.get(index));
  }

  boolean knows(int index) {
    return !fields.get(index).equals(UNKNOWN);
  }

  /** Returns a whole number, or empty if it is unknown; some logs have 0 for that. */
  OptionalLong positive(String name, int index, long greatest) {
    if (!knows(index)) {
      return OptionalLong.empty();
    }
    long number = field(name, index).wholeLong(0, greatest);
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
