package dev.berth.traces;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A file cannot be used. Says where, what was found, what was expected and, where there is a guess,
 * what may have been meant; its message needs no stack trace to be understood.
 */
public final class InputException extends RuntimeException {

  private static final int LONGEST_QUOTE = 60;

  private final String file;
  private final OptionalLong line;
  private final Optional<String> field;
  private final Optional<String> value;
  private final String rule;
  private final Optional<String> hint;
  private boolean endsReading;

  /**
   * Describes what is wrong.
   *
   * @param file as the user named it
   * @param line counted from 1; empty if the file as a whole is wrong
   * @param field name of the field; empty if the line as a whole is wrong
   * @param value what stands there; empty if nothing does or it tells nothing
   * @param rule what should be, {@code "must not be negative"}, or what is, {@code "does not
   *     exist"}; without a full stop
   * @param hint what may have been meant, to follow "Maybe"; without a full stop
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
    this.field = field;
    this.value = value;
    this.rule = rule;
    this.hint = hint;
  }

  /** Returns the file, as the user named it. */
  public String file() {
    return file;
  }

  /** Returns the line, counted from 1; empty if the file as a whole is wrong. */
  public OptionalLong line() {
    return line;
  }

  /** Returns the name of the field; empty if the line as a whole is wrong. */
  public Optional<String> field() {
    return field;
  }

  /** Returns what stands there, in full; empty if nothing does or it tells nothing. */
  public Optional<String> value() {
    return value;
  }

  /** Returns what should be, or what is wrong. */
  public String rule() {
    return rule;
  }

  /** Returns what may have been meant, if there is a guess. */
  public Optional<String> hint() {
    return hint;
  }

  /**
   * Returns whether nothing can be read behind it: the file as a whole is wrong, or where the next
   * line begins is not known.
   */
  public boolean endsReading() {
    return endsReading || line.isEmpty();
  }

  /** Marks that nothing can be read behind it. */
  InputException endingReading() {
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
    StringBuilder text = new StringBuilder(printable(file));
    line.ifPresent(number -> text.append(", line ").append(number));
    text.append(": ");
    field.ifPresent(name -> text.append(printable(name)).append(' '));
    value.ifPresent(found -> text.append("was \"").append(quoted(found)).append("\", "));
    text.append(rule).append('.');
    hint.ifPresent(guess -> text.append(" Maybe ").append(guess).append('.'));
    return text.toString();
  }

  /** Shortens a text for a message; files may hold anything. */
  static String quoted(String found) {
    return found.length() <= LONGEST_QUOTE
        ? printable(found)
        : printable(found.substring(0, LONGEST_QUOTE)) + "…";
  }

  /** Replaces what would garble a terminal. */
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
