package dev.berth.cli;

import java.util.List;

/**
 * The user's input cannot be used; nothing was run. Ends the command with {@link
 * ExitCode#BAD_INPUT}.
 *
 * <p>Each problem is one line that names place, value and rule, and a hint where there is one.
 */
final class BadInputException extends RuntimeException {

  private final transient List<String> problems;

  BadInputException(String problem) {
    this(List.of(problem));
  }

  BadInputException(String problem, Throwable cause) {
    this(List.of(problem));
    initCause(cause);
  }

  BadInputException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Returns everything that is wrong; not empty. */
  List<String> problems() {
    return problems;
  }
}
