package dev.berth.traces;

import dev.berth.api.Constraint;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Writes texts into a table as {@link CsvTable} reads them, and refuses those that it cannot. */
final class CsvText {

  private CsvText() {}

  /** Returns a row of cells that are given as {@link #cell} returns them. */
  static String row(List<String> cells) {
    return String.join(",", cells);
  }

  /** Returns a text in quotes where it needs them. */
  static String cell(Written written, String what, String text) {
    written.text(what, text);
    if (!text.equals(text.strip())) {
      throw written.refused(what + " has blanks around it, which csv cannot tell; jsonl can");
    }
    if (text.chars().anyMatch(each -> each != '\t' && Character.isISOControl(each))) {
      throw written.refused(what + " has a control character, which csv cannot tell; jsonl can");
    }
    boolean quoted = text.indexOf(',') >= 0 || text.indexOf('"') >= 0 || isComment(text);
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  private static boolean isComment(String text) {
    return text.startsWith("#") || text.startsWith("%") || text.startsWith("\uFEFF");
  }

  /** Returns a text that is no part of the grammar of constraints and attributes. */
  static String word(Written written, String what, String text, boolean isName) {
    boolean grammar =
        text.chars().anyMatch(each -> "=<>!;|".indexOf(each) >= 0)
            || (isName && (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)));
    if (grammar || !text.equals(text.strip())) {
      throw written.refused(
          "%s \"%s\" has a character that csv cannot tell there; jsonl can"
              .formatted(what, InputException.quoted(text)));
    }
    return text;
  }

  static String constraints(Written written, Collection<Constraint> constraints) {
    return constraints.stream()
        .map(each -> constraint(written, each))
        .collect(Collectors.joining(";"));
  }

  private static String constraint(Written written, Constraint constraint) {
    String name = word(written, "attribute", constraint.attribute(), true);
    if (constraint instanceof Constraint.Equal equal) {
      return name + "==" + value(written, equal.value());
    } else if (constraint instanceof Constraint.NotEqual differs) {
      return name + "!=" + value(written, differs.value());
    } else if (constraint instanceof Constraint.LessThan less) {
      return name + "<" + less.bound();
    } else if (constraint instanceof Constraint.GreaterThan more) {
      return name + ">" + more.bound();
    } else if (constraint instanceof Constraint.In in) {
      if (in.values().isEmpty()) {
        throw written.refused("a constraint allows no value, which csv cannot tell; jsonl can");
      }
      return in.values().stream()
          .map(each -> value(written, each))
          .collect(Collectors.joining("|", name + " in ", ""));
    }
    return name + " exists";
  }

  private static String value(Written written, String value) {
    if (value.isEmpty()) {
      throw written.refused("a constraint has an empty value, which csv cannot tell; jsonl can");
    }
    return word(written, "value of a constraint", value, false);
  }
}
