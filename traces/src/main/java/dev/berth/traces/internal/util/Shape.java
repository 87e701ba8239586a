package dev.berth.traces.internal.util;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A regular expression for text from files. Every pattern of a reader is one.
 *
 * <p>Matching counts how often it reads a character, and fails if that is not linear in the length
 * of the text. A pattern that backtracks is thus an error of the first test, and never a reader
 * that hangs.
 */
public record Shape(Pattern pattern) {

  /** How often each character of a text may be read on average. */
  private static final int READS = 16;

  /** How many more reads a short text may take. */
  private static final int SLACK = 1_000;

  /**
   * Returns a shape.
   *
   * @param regex the expression, with possessive quantifiers wherever it would backtrack
   */
  public static Shape of(String regex) {
    return new Shape(Pattern.compile(regex));
  }

  /** Returns whether the whole text has this shape. */
  public boolean matches(String text) {
    return matcher(text).matches();
  }

  /** Returns whether the text begins with this shape. */
  public boolean begins(String text) {
    return matcher(text).lookingAt();
  }

  /** Returns the groups of the whole text; empty if it does not have this shape. */
  public Optional<MatchResult> match(String text) {
    Matcher matcher = matcher(text);
    return matcher.matches() ? Optional.of(matcher) : Optional.empty();
  }

  /** Returns the parts of the text that have this shape, in order. */
  public Stream<MatchResult> find(String text) {
    return matcher(text).results();
  }

  private Matcher matcher(String text) {
    return pattern.matcher(new Counted(text, pattern));
  }

  /** A text with a limited number of reads. */
  private static final class Counted implements CharSequence {

    private final String text;
    private final Pattern pattern;
    private long left;

    Counted(String text, Pattern pattern) {
      this.text = text;
      this.pattern = pattern;
      this.left = (long) READS * text.length() + SLACK;
    }

    @Override
    public char charAt(int index) {
      if (--left < 0) {
        throw new IllegalStateException(
            "pattern %s took more than %s reads per character of a text with %s characters."
                .formatted(pattern, READS, text.length()));
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
