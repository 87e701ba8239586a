package dev.berth.traces.format.borg;

import dev.berth.traces.input.Field;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.util.Cells;
import java.util.List;

/** A line of the Borg simulator's files: fields separated by commas, then a list in brackets. */
record BorgRow(SourceLocation location, List<String> names, List<String> cells, Field rest) {

  static final String NAME = "borg-simulator";

  static BorgRow of(SourceLocation location, String line, List<String> names, String list) {
    List<String> cells = Cells.split(line, ',', names.size() + 1);
    if (cells.size() != names.size() + 1) {
      throw location.error(
          "has %s fields, must have %s: %s,[%s]"
              .formatted(cells.size(), names.size() + 1, String.join(",", names), list));
    }
    String last = cells.get(names.size()).strip();
    Field rest = new Field(location, list, last);
    if (!last.startsWith("[") || !last.endsWith("]") || last.length() < 2) {
      throw rest.error("must be a list, [...]");
    }
    return new BorgRow(
        location, names, cells, new Field(location, list, last.substring(1, last.length() - 1)));
  }

  Field field(String name) {
    return new Field(location, name, cells.get(names.indexOf(name)).strip());
  }

  /** Returns the items of the list, which semicolons separate. */
  List<Field> list() {
    return rest.parts(';');
  }
}
