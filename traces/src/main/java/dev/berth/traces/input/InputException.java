package dev.berth.traces.input;

import dev.berth.core.error.Printable;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An error in an input file. It carries the location, the value found, the rule that the value
 * breaks and, where possible, a hint at what was meant. The message is complete without a stack
 * trace.
 */
public final class InputException extends RuntimeException {

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
    this.field = field.map(Printable::quote);
    this.value = value;
    this.rule = Printable.phrase(rule);
    this.hint = hint.map(Printable::phrase);
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

  /** Returns the file, as the user named it. */
  public String file() {
    return file;
  }

  /** Returns the line number, counted from 1; empty if the error concerns the whole file. */
  public OptionalLong line() {
    return line;
  }

  /**
   * Returns the name of the field as the message shows it, {@linkplain Printable#quote safe to
   * print}; empty if the error concerns the whole line.
   */
  public Optional<String> field() {
    return field;
  }

  /** Returns the text found, in full; empty if it is absent or of no use. */
  public Optional<String> value() {
    return value;
  }

  /**
   * Returns the rule that is broken, or what is the case, as a {@linkplain Printable#phrase phrase}
   * without a full stop.
   */
  public String rule() {
    return rule;
  }

  /**
   * Returns the text found in words that the rule can follow: {@code was "-1",} before a rule such
   * as "must be positive", and {@code "ram"} before one such as "is not a column". Empty if it is
   * absent or of no use.
   */
  public Optional<String> found() {
    return value.map(each -> found(each, rule));
  }

  private static String found(String value, String rule) {
    boolean isFact = rule.startsWith("is ") || rule.startsWith("has ");
    return (isFact ? "\"%s\"" : "was \"%s\",").formatted(Printable.quote(value));
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
    StringBuilder text = new StringBuilder(Printable.phrase(file));
    line.ifPresent(number -> text.append(", line ").append(number));
    text.append(": ");
    field.ifPresent(name -> text.append(Printable.quote(name)).append(' '));
    value.ifPresent(each -> text.append(found(each, rule)).append(' '));
    text.append(Printable.phrase(rule)).append('.');
    hint.ifPresent(guess -> text.append(" Maybe ").append(Printable.phrase(guess)).append('.'));
    return text.toString();
  }
}
