package dev.berth.traces;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An error in an input file. It carries the location, the value found, the rule that the value
 * breaks and, where possible, a hint at what was meant. The message is complete without a stack
 * trace.
 */
public final class InputException extends RuntimeException {

  private static final int LONGEST_QUOTE = 60;
  private static final int LONGEST_PHRASE = 1_000;

  private final String file;
  private final OptionalLong line;
  private final Optional<String> field;
  private final Optional<String> value;
  private final String rule;
  private final Optional<String> hint;
  private boolean endsReading;

  /**
   * Creates an error.
   *
   * @param file the file, as the user named it
   * @param line the line number, counted from 1; empty if the error concerns the whole file
   * @param field the name of the field; empty if the error concerns the whole line
   * @param value the text found; empty if it is absent or of no use
   * @param rule what is required, {@code "must not be negative"}, or what is the case, {@code "does
   *     not exist"}; without a full stop
   * @param hint what may have been meant, to follow the word "Maybe"; without a full stop
   */
  public InputException(
      String file,
      OptionalLong line,
      Optional<String> field,
      Optional<String> value,
      String rule,
      Optional<String> hint) {
    super(message(file, line, field, value, rule, hint));
    this.file = file;
    this.line = line;
    this.field = field.map(InputException::quoted);
    this.value = value;
    this.rule = phrase(rule);
    this.hint = hint.map(InputException::phrase);
  }

  /** Returns an error about a file as a whole. */
  static InputException ofFile(String file, String rule) {
    return new InputException(
        file, OptionalLong.empty(), Optional.empty(), Optional.empty(), rule, Optional.empty());
  }

  /** Returns an error about a file as a whole, with a hint. */
  static InputException ofFile(String file, String rule, String hint) {
    return new InputException(
        file, OptionalLong.empty(), Optional.empty(), Optional.empty(), rule, Optional.of(hint));
  }

  /** Returns an error about an id that an earlier line has. */
  static InputException repeatedId(String id, SourceLocation location, SourceLocation earlier) {
    return new Field(location, "id", id)
        .error(
            "must be unique, line %s%s has the same"
                .formatted(
                    earlier.line(),
                    earlier.file().equals(location.file()) ? "" : " of " + earlier.file()));
  }

  /** Returns the file, as the user named it. */
  public String file() {
    return file;
  }

  /** Returns the line number, counted from 1; empty if the error concerns the whole file. */
  public OptionalLong line() {
    return line;
  }

  /**
   * Returns the name of the field as the message shows it, {@linkplain #quoted safe to print};
   * empty if the error concerns the whole line.
   */
  public Optional<String> field() {
    return field;
  }

  /** Returns the text found, in full; empty if it is absent or of no use. */
  public Optional<String> value() {
    return value;
  }

  /**
   * Returns the rule that is broken, or what is the case, as a phrase without a full stop. It has
   * at most {@value #LONGEST_PHRASE} characters of the rule given, and is safe to print.
   */
  public String rule() {
    return rule;
  }

  /** Returns what may have been meant, shortened and safe like the rule; empty without a guess. */
  public Optional<String> hint() {
    return hint;
  }

  /**
   * Returns whether reading cannot resume after this error: it concerns the whole file, or the
   * start of the next line is unknown.
   */
  public boolean endsReading() {
    return endsReading || line.isEmpty();
  }

  /** Marks that reading cannot resume after this error, and returns this error. */
  public InputException endingReading() {
    endsReading = true;
    return this;
  }

  private static String message(
      String file,
      OptionalLong line,
      Optional<String> field,
      Optional<String> value,
      String rule,
      Optional<String> hint) {
    StringBuilder text = new StringBuilder(phrase(file));
    line.ifPresent(number -> text.append(", line ").append(number));
    text.append(": ");
    field.ifPresent(name -> text.append(quoted(name)).append(' '));
    value.ifPresent(found -> text.append("was \"").append(quoted(found)).append("\", "));
    text.append(phrase(rule)).append('.');
    hint.ifPresent(guess -> text.append(" Maybe ").append(phrase(guess)).append('.'));
    return text.toString();
  }

  /**
   * Returns a text in a form that is safe in a message: shortened, and without control characters.
   */
  public static String quoted(String found) {
    return printable(found, LONGEST_QUOTE);
  }

  private static String phrase(String text) {
    return printable(text, LONGEST_PHRASE);
  }

  private static String printable(String text, int longest) {
    return text.length() <= longest ? printable(text) : printable(text.substring(0, longest)) + "…";
  }

  /** Escapes characters that would garble a terminal. */
  private static String printable(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (Character.isISOControl(point) || isFormatting(point)) {
                clean.append(String.format(Locale.ROOT, "\\u%04x", point));
              } else {
                clean.appendCodePoint(point);
              }
            });
    return clean.toString();
  }

  private static boolean isFormatting(int point) {
    int type = Character.getType(point);
    return type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}
