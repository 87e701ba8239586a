package dev.berth.traces;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of a file, to which errors are guaranteed.
 *
 * @param file as the user named it
 * @param line counted from 1
 */
public record Place(String file, long line) {

  /** The line as a whole is wrong. */
  public InputException wrong(String rule) {
    return error(Optional.empty(), Optional.empty(), rule, Optional.empty());
  }

  /** The line as a whole is wrong, and there is a guess why. */
  public InputException wrong(String rule, String hint) {
    return error(Optional.empty(), Optional.empty(), rule, Optional.of(hint));
  }

  /** A field is wrong. */
  InputException wrongField(String field, String value, String rule, Optional<String> hint) {
    return error(Optional.of(field), Optional.of(value), rule, hint);
  }

  private InputException error(
      Optional<String> field, Optional<String> value, String rule, Optional<String> hint) {
    return new InputException(file, OptionalLong.of(line), field, value, rule, hint);
  }

  /** A file as a whole is wrong. */
  static InputException wrongFile(String file, String rule) {
    return new InputException(
        file, OptionalLong.empty(), Optional.empty(), Optional.empty(), rule, Optional.empty());
  }

  /** A file as a whole is wrong, and there is a guess why. */
  static InputException wrongFile(String file, String rule, String hint) {
    return new InputException(
        file, OptionalLong.empty(), Optional.empty(), Optional.empty(), rule, Optional.of(hint));
  }
}
