package dev.berth.traces;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads Erlang terms as the files of the QoS-driven scheduling paper have them: one a line, ended
 * by a full stop; numbers, strings, atoms, {@code {tuples}} and {@code [lists]}.
 */
final class Terms {

  /** A term, kept as it is written. */
  sealed interface Term {
    /** Returns it in Erlang's notation, near enough for a message. */
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

  private static final int DEEPEST = 8; // the formats need 3; recursion must end

  private final Place place;
  private final String text;
  private int at;

  private Terms(Place place, String text) {
    this.place = place;
    this.text = text;
  }

  /**
   * Reads the tuple on a line.
   *
   * @throws InputException if the line holds anything else
   */
  static Group tuple(Place place, String line) {
    Terms terms = new Terms(place, line);
    Term term = terms.term(1);
    terms.expect('.');
    terms.skipBlanks();
    if (terms.at < line.length() && line.charAt(terms.at) != '%') {
      throw terms.unexpected();
    }
    if (term instanceof Group group && group.isTuple()) {
      return group;
    }
    throw place.wrong("must be a tuple like \"{1,2}.\"");
  }

  private Term term(int depth) {
    skipBlanks();
    if (depth > DEEPEST) {
      throw place.wrong("nests terms deeper than %s".formatted(DEEPEST));
    }
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

  /** A string, or an atom in quotes. */
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

  /** A number or an atom: what stands up to the next mark, where the stop inside 0.5 is none. */
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
      throw place.wrong("ends in the middle of a term, must end in \"}.\"", "it was cut off");
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
    return place.wrong(
        "is no Erlang term: \"%s\" is unexpected at character %s"
            .formatted(InputException.quoted(text.substring(at, at + 1)), at + 1));
  }
}
