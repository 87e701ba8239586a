package dev.berth.traces.input;

import java.util.Optional;

/** What an error can name: an input as a whole, a line, or a field or an object in a line. */
public interface InputPart {

  /**
   * Returns an error about this part.
   *
   * @param rule as in {@link InputException#rule}
   */
  InputException error(String rule);

  /**
   * Refuses this part if it is wrong.
   *
   * @param wrong whether it is
   * @param rule the rule that it breaks, as in {@link InputException#rule}: a format of the values,
   *     or plain text if there are none
   * @param values the values in the rule
   * @throws InputException if it is wrong
   */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  default void refuseIf(boolean wrong, String rule, Object... values) {
    if (wrong) {
      throw error(values.length == 0 ? rule : rule.formatted(values));
    }
  }

  /**
   * Refuses a part that must not be there.
   *
   * @param rule the rule that it breaks, as in {@link InputException#rule}
   * @throws InputException if it is there
   */
  static void refuse(Optional<? extends InputPart> odd, String rule) {
    if (odd.isPresent()) {
      throw odd.get().error(rule);
    }
  }
}
