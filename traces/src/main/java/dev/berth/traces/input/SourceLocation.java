package dev.berth.traces.input;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of a file. Errors name it.
 *
 * @param file the file, as the user named it
 * @param line the line number, counted from 1
 */
public record SourceLocation(String file, long line) implements InputPart {

  @Override
  public InputException error(String rule) {
    return error(Optional.empty(), Optional.empty(), rule, Optional.empty());
  }

  /**
   * Returns an error about the line as a whole.
   *
   * @param rule as in {@link InputException#rule}
   * @param hint as in {@link InputException#hint}
   */
  public InputException error(String rule, String hint) {
    return error(Optional.empty(), Optional.empty(), rule, Optional.of(hint));
  }

  /** Returns an error about a field. */
  InputException fieldError(String field, String value, String rule, Optional<String> hint) {
    return error(Optional.of(field), Optional.of(value), rule, hint);
  }

  private InputException error(
      Optional<String> field, Optional<String> value, String rule, Optional<String> hint) {
    return new InputException(file, OptionalLong.of(line), field, value, rule, hint);
  }
}
