package dev.berth.testkit.contract;

import dev.berth.testkit.history.FailedHistory;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a failed rule: the violation, the end of the smallest history, and nothing that a
 * test platform prints elsewhere. The system property {@value #DETAILS} asks for everything.
 */
final class FailureText {

  /** The system property for whole histories and stack traces. */
  static final String DETAILS = "berth.details";

  private static final int LINES = 60;
  private static final int FRAMES = 8;

  private FailureText() {}

  static boolean isDetailed() {
    return Boolean.getBoolean(DETAILS);
  }

  /** Returns the violation and its history. */
  static String of(Throwable thrown) {
    if (!(thrown instanceof FailedHistory failed)) {
      return String.valueOf(thrown.getMessage());
    }
    return failed.getMessage() + "\n" + shortened(failed.transcript().lines().toList());
  }

  /** Returns the words for a violation of another rule than the one under test. */
  static String mendFirst(RuleBroken other) {
    return "mend %s first: %s".formatted(other.rule().name(), other.what());
  }

  /**
   * Returns the whole text of a failure: what was violated, the rule, and how to repeat it.
   *
   * @param violation what was violated, of whatever lines
   * @param command the command that runs the test again
   */
  static String of(String violation, Rule rule, ContractTest test, String command) {
    String promise =
        test.promise(rule)
            .map(
                each ->
                    "A promise: keep it, or withdraw Capability.%s in capabilities().%n"
                        .formatted(each))
            .orElse("");
    return "%s%nThe rule: %s%n%sTo repeat it: %s"
        .formatted(violation, rule.statement(), promise, command);
  }

  /** Returns the first line, which names the subject, and the last ones. */
  private static String shortened(List<String> lines) {
    int left = isDetailed() ? 0 : lines.size() - 1 - LINES;
    if (left <= 0) {
      return String.join("\n", lines);
    }
    return "%s\n... %s lines left out; -D%s=true prints them\n%s"
        .formatted(
            lines.get(0), left, DETAILS, String.join("\n", lines.subList(1 + left, lines.size())));
  }

  /** Removes the kit's own calls from the trace of a failure: they do not help. */
  static void shorten(AssertionError failure, Class<?> test, String method) {
    if (!isDetailed()) {
      failure.setStackTrace(
          new StackTraceElement[] {new StackTraceElement(test.getName(), method, null, -1)});
    }
  }

  /**
   * Returns the cause to report: what the code under test threw, with the calls next to it; null if
   * the kit itself found the violation.
   */
  static @Nullable Throwable cause(Throwable thrown) {
    if (isDetailed()) {
      return thrown;
    }
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof AssertionError) {
      return null;
    }
    StackTraceElement[] frames = root.getStackTrace();
    root.setStackTrace(Arrays.copyOf(frames, Math.min(FRAMES, frames.length)));
    return root;
  }
}
