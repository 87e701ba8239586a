package dev.berth.traces.format.csv;

import dev.berth.api.Constraint;
import dev.berth.core.error.Printable;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.internal.FieldWriter;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats cells such that {@link CsvTable} reads them back, and refuses all others. */
final class CsvCells {

  private CsvCells() {}

  /** Returns a cell, in quotes if necessary. */
  static String cell(FieldWriter fields, String what, String text) {
    fields.text(what, text);
    if (!text.equals(text.strip())) {
      throw fields.refused(
          what + " begins or ends with a blank, which csv cannot represent; jsonl can");
    }
    if (text.chars().anyMatch(each -> each != '\t' && Character.isISOControl(each))) {
      throw fields.refused(
          what + " has a control character, which csv cannot represent; jsonl can");
    }
    boolean quoted = text.indexOf(',') >= 0 || text.indexOf('"') >= 0 || isComment(text);
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  private static boolean isComment(String text) {
    return text.startsWith("#") || text.startsWith("%") || text.startsWith("\uFEFF");
  }

  /** Returns the cell of a name, in quotes if necessary. */
  static String name(FieldWriter fields, String what, String name) {
    return cell(fields, what, fields.name(what, name));
  }

  /**
   * Returns a name or value within a constraint or an attribute, which must not contain characters
   * of their grammar.
   */
  static String word(FieldWriter fields, String what, String text, boolean isName) {
    boolean grammar =
        text.chars().anyMatch(each -> "=<>!;|".indexOf(each) >= 0)
            || (isName && (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)));
    if (grammar || !text.equals(text.strip())) {
      throw fields.refused(
          "%s \"%s\" has a character that csv cannot represent there; jsonl can"
              .formatted(what, Printable.quote(text)));
    }
    return text;
  }

  /**
   * Returns names and values in one cell: {@code zone=a;rank=5}.
   *
   * @param what what they are, for messages: {@code "label"}
   */
  static String pairs(FieldWriter fields, String what, Map<String, String> values) {
    return values.entrySet().stream()
        .map(
            each ->
                word(fields, what, each.getKey(), true)
                    + "="
                    + word(fields, "value of " + what, each.getValue(), false))
        .collect(Collectors.joining(";"));
  }

  static String constraints(FieldWriter fields, Collection<Constraint> constraints) {
    return constraints.stream()
        .map(each -> constraint(fields, each))
        .collect(Collectors.joining(";"));
  }

  private static String constraint(FieldWriter fields, Constraint constraint) {
    String name = word(fields, "attribute", constraint.attribute(), true);
    if (constraint instanceof Constraint.Equal equal) {
      return name + "==" + value(fields, equal.value());
    } else if (constraint instanceof Constraint.NotEqual differs) {
      return name + "!=" + value(fields, differs.value());
    } else if (constraint instanceof Constraint.LessThan less) {
      return name + "<" + less.bound();
    } else if (constraint instanceof Constraint.GreaterThan more) {
      return name + ">" + more.bound();
    } else if (constraint instanceof Constraint.In in) {
      if (in.values().isEmpty()) {
        throw fields.refused("a constraint allows no value, which csv cannot represent; jsonl can");
      }
      return in.values().stream()
          .map(each -> value(fields, each))
          .collect(Collectors.joining("|", name + " in ", ""));
    }
    return name + " exists";
  }

  private static String value(FieldWriter fields, String value) {
    if (value.isEmpty()) {
      throw fields.refused(
          "a constraint has an empty value, which csv cannot represent; jsonl can");
    }
    return word(fields, "value of a constraint", value, false);
  }
}
