package dev.berth.core.error;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if a configuration is invalid. Holds all problems found, not only the first. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /**
   * Creates an exception for a subject.
   *
   * @param subject the configured thing, for messages: {@code "policy qos-driven"}
   * @param problems at least one
   */
  public ConfigException(String subject, List<Problem> problems) {
    super(
        problems.stream()
            .map(problem -> Printable.phrase(subject) + ": " + problem.describe())
            .collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns all problems; never empty. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * A problem of one value.
   *
   * @param path path of the value: {@code "config.allocationScore.leastRequested"}
   * @param value the value found, as JSON
   * @param rule the rule that the value breaks: {@code "must be 0 or more"}; or what is the case,
   *     beginning with "is" or "has": {@code "is no policy"}
   * @param hint sentences with the nearest valid input, or all of them; empty if there is none
   */
  public record Problem(String path, String value, String rule, String hint) {

    /** Returns the problem in a line that is {@linkplain Printable safe to print}. */
    public String describe() {
      boolean isFact = rule.startsWith("is ") || rule.startsWith("has ");
      return Printable.phrase(path)
          + (isFact ? ": " : " was ")
          + Printable.quote(value)
          + (isFact ? " " : ", ")
          + Printable.phrase(rule)
          + "."
          + (hint.isEmpty() ? "" : " " + Printable.phrase(hint));
    }
  }
}
