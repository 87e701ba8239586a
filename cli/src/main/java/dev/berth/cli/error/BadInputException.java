package dev.berth.cli.error;

import dev.berth.core.error.ConfigException;
import dev.berth.traces.input.InputException;
import java.util.List;

/**
 * The input of the user cannot be used; nothing was run. Ends the command with {@link
 * ExitCode#BAD_INPUT}.
 *
 * <p>Each problem is one line that names place, value and rule, and a hint where there is one.
 */
public final class BadInputException extends RuntimeException {

  private final transient List<String> problems;

  public BadInputException(String problem) {
    this(List.of(problem));
  }

  public BadInputException(String problem, Throwable cause) {
    this(List.of(problem));
    initCause(cause);
  }

  public BadInputException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Returns the error for a configuration; each problem begins with a text. */
  public static BadInputException of(String start, ConfigException wrong) {
    return new BadInputException(
        wrong.problems().stream().map(each -> start + each.describe()).toList());
  }

  /** Throws an error with this problem, unless the input is as it must be. */
  public static void unless(boolean fine, String problem) {
    if (!fine) {
      throw new BadInputException(problem);
    }
  }

  /** Throws an error if there are problems. */
  public static void ifAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new BadInputException(problems);
    }
  }

  /** Returns all problems; not empty. */
  public List<String> problems() {
    return problems;
  }

  /** Returns a problem in the form of compilers: {@code file:line: field: problem}. */
  public static String describe(InputException wrong) {
    StringBuilder text = new StringBuilder(wrong.file());
    wrong.line().ifPresent(line -> text.append(':').append(line));
    text.append(": ");
    wrong.field().ifPresent(field -> text.append(field).append(": "));
    wrong.found().ifPresent(found -> text.append(found).append(' '));
    text.append(wrong.rule()).append('.');
    wrong.hint().ifPresent(hint -> text.append(" Maybe ").append(hint).append('.'));
    return text.toString();
  }
}
