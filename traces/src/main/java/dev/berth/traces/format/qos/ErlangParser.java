package dev.berth.traces.format.qos;

import dev.berth.core.error.Printable;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parses Erlang terms as in the files of the QoS-driven scheduling paper. Each line is a term with
 * a full stop at its end. Terms are numbers, strings, atoms, {@code {tuples}} and {@code [lists]}.
 */
final class ErlangParser {

  /** A term. */
  sealed interface Term {
    /** Returns the term in approximate Erlang notation, for messages. */
    String describe();
  }

  /** A number, or an atom or a string without its quotes. */
  record Scalar(String text) implements Term {
    @Override
    public String describe() {
      return text;
    }
  }

  /** A list or a tuple. */
  record Group(boolean isTuple, List<Term> members) implements Term {
    @Override
    public String describe() {
      return members.stream()
          .map(Term::describe)
          .collect(Collectors.joining(",", isTuple ? "{" : "[", isTuple ? "}" : "]"));
    }
  }

  private static final int DEEPEST = 8; // the formats need 3; the limit bounds the recursion

  private final SourceLocation location;
  private final String text;
  private int at;

  private ErlangParser(SourceLocation location, String text) {
    this.location = location;
    this.text = text;
  }

  /**
   * Parses a line that is a tuple.
   *
   * @throws InputException if the line is not a tuple
   */
  static Group tuple(SourceLocation location, String line) {
    ErlangParser parser = new ErlangParser(location, line);
    Term term = parser.term(1);
    parser.expect('.');
    parser.skipBlanks();
    if (parser.at < line.length() && line.charAt(parser.at) != '%') {
      throw parser.unexpected();
    }
    if (term instanceof Group group && group.isTuple()) {
      return group;
    }
    throw location.error("must be a tuple like \"{1,2}.\"");
  }

  private Term term(int depth) {
    skipBlanks();
    location.refuseIf(depth > DEEPEST, "must not nest terms deeper than %s", DEEPEST);
    return switch (peek()) {
      case '{' -> group(true, '}', depth);
      case '[' -> group(false, ']', depth);
      case '"', '\'' -> quoted(peek());
      default -> bare();
    };
  }

  private Group group(boolean isTuple, char end, int depth) {
    List<Term> members = new ArrayList<>();
    at++;
    skipBlanks();
    if (peek() != end) {
      members.add(term(depth + 1));
      skipBlanks();
      while (peek() == ',') {
        at++;
        members.add(term(depth + 1));
        skipBlanks();
      }
    }
    expect(end);
    return new Group(isTuple, members);
  }

  /** Parses a string or a quoted atom. */
  private Scalar quoted(char quote) {
    StringBuilder content = new StringBuilder();
    at++;
    while (peek() != quote) {
      if (peek() == '\\') {
        at++;
      }
      content.append(peek());
      at++;
    }
    at++;
    return new Scalar(content.toString());
  }

  /** Parses a number or an unquoted atom. A full stop within a number belongs to it. */
  private Scalar bare() {
    int from = at;
    while (isBare(peek()) || isDecimalPoint()) {
      at++;
    }
    if (at == from) {
      throw unexpected();
    }
    return new Scalar(text.substring(from, at));
  }

  private boolean isDecimalPoint() {
    return peek() == '.' && at + 1 < text.length() && isBare(text.charAt(at + 1));
  }

  private static boolean isBare(char each) {
    return Character.isLetterOrDigit(each) || "+-_@".indexOf(each) >= 0;
  }

  private void skipBlanks() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private char peek() {
    if (at == text.length()) {
      throw location.error("ends in the middle of a term, must end in \"}.\"", "it was cut off");
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    skipBlanks();
    if (peek() != wanted) {
      throw unexpected();
    }
    at++;
  }

  private InputException unexpected() {
    return location.error(
        "is not an Erlang term: \"%s\" is unexpected at character %s"
            .formatted(Printable.quote(text.substring(at, at + 1)), at + 1));
  }
}
