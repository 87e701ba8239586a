package dev.berth.testkit.rule;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A rule of the contract is broken. */
public final class RuleBroken extends AssertionError {

  private static final long serialVersionUID = 1;

  private static final Pattern ENGINE =
      Pattern.compile(
          "(java|javax|jdk|sun|com\\.google|dev\\.berth\\.(api|core|testkit\\.asserting))\\.");

  private final Rule rule;
  private final String what;

  /**
   * Creates a report.
   *
   * @param rule the broken rule
   * @param what the violation with its values: {@code "h1 holds cpu 6 of 4"}
   */
  public RuleBroken(Rule rule, String what) {
    super(rule + ": " + what);
    this.rule = rule;
    this.what = what;
  }

  /** Creates a report with a cause. */
  public RuleBroken(Rule rule, String what, Throwable cause) {
    super(rule + ": " + what, cause);
    this.rule = rule;
    this.what = what;
  }

  /**
   * Returns the report for a throwable: the one among its causes, or otherwise a violation of
   * {@link Rule#P22}.
   */
  public static RuleBroken by(Throwable thrown) {
    if (thrown instanceof OutOfMemoryError fatal) {
      throw fatal;
    }
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof RuleBroken known) {
        return known;
      }
    }
    return new RuleBroken(Rule.P22, "it threw " + described(thrown), thrown);
  }

  /** Returns the exception behind a throwable, and the line of the policy that threw it. */
  private static String described(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root + line(root.getStackTrace()).map(" at "::concat).orElse("");
  }

  /** Returns the first line outside the JDK and the engine. The JVM may leave out all of them. */
  private static Optional<String> line(StackTraceElement[] frames) {
    return Stream.of(frames)
        .filter(each -> !ENGINE.matcher(each.getClassName()).lookingAt())
        .findFirst()
        .map(
            each ->
                "%s.%s(%s:%s)"
                    .formatted(
                        each.getClassName(),
                        each.getMethodName(),
                        each.getFileName(),
                        each.getLineNumber()));
  }

  /** Returns the violation without the name of the rule. */
  public String what() {
    return what;
  }

  /** Returns the rule. */
  public Rule rule() {
    return rule;
  }
}
