package dev.berth.traces;

import java.util.List;
import java.util.regex.Pattern;

/** A line of the Borg simulator's files: fields between commas, and a list in brackets. */
record BorgRow(Place place, List<String> names, List<String> cells, Field rest) {

  static final String NAME = "borg-simulator";

  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern SEMICOLON = Pattern.compile(";");

  static BorgRow of(Place place, String line, List<String> names, String list) {
    String[] cells = COMMA.split(line, names.size() + 1);
    if (cells.length != names.size() + 1) {
      throw place.wrong(
          "has %s fields, must have %s: %s,[%s]"
              .formatted(cells.length, names.size() + 1, String.join(",", names), list));
    }
    String last = cells[names.size()].strip();
    Field rest = new Field(place, list, last);
    if (!last.startsWith("[") || !last.endsWith("]") || last.length() < 2) {
      throw rest.wrong("must be a list, [...]");
    }
    return new BorgRow(
        place, names, List.of(cells), new Field(place, list, last.substring(1, last.length() - 1)));
  }

  Field field(String name) {
    return new Field(place, name, cells.get(names.indexOf(name)).strip());
  }

  /** Returns what stands in the brackets, between semicolons. */
  List<Field> list() {
    return rest.parts(SEMICOLON);
  }
}
