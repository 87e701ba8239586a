package dev.berth.fuzzing;

import dev.berth.core.error.ConfigException;
import dev.berth.core.error.SnapshotException;
import dev.berth.json.UnreadableException;
import dev.berth.traces.input.InputException;

/** What an error must be like that bad input causes: documented, short, and safe to print. */
final class ClearErrors {

  private static final int LONGEST_PROBLEM = 4_096;
  private static final int LONGEST_MESSAGE = 16 * LONGEST_PROBLEM;

  private ClearErrors() {}

  static void check(InputException error) {
    checkText(error.getMessage());
  }

  static void check(ConfigException error) {
    if (error.getMessage().length() > LONGEST_MESSAGE) {
      throw new AssertionError(
          "the message has %s characters".formatted(error.getMessage().length()));
    }
    error.problems().forEach(problem -> checkText(problem.describe()));
  }

  /** Checks an error that is documented to be of this very class. */
  static void check(IllegalArgumentException error) {
    if (error.getClass() != IllegalArgumentException.class) {
      throw error;
    }
    checkText(error.getMessage());
  }

  static void check(UnreadableException error) {
    checkText(error.getMessage());
  }

  static void check(SnapshotException error) {
    error.getMessage().lines().forEach(ClearErrors::checkText);
  }

  static void checkText(String text) {
    if (text.isBlank() || text.equals("null")) {
      throw new AssertionError("not for users: " + text);
    }
    if (text.length() > LONGEST_PROBLEM) {
      throw new AssertionError(
          "the message has %s characters: %s…".formatted(text.length(), text.substring(0, 200)));
    }
    text.codePoints()
        .filter(ClearErrors::garbles)
        .findFirst()
        .ifPresent(
            each -> {
              throw new AssertionError("U+%04X in the message: %s".formatted(each, text));
            });
  }

  /** Returns whether a character could control a terminal or change the order of the text. */
  private static boolean garbles(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
