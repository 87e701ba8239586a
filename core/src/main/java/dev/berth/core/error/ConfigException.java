package dev.berth.core.error;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. Holds every problem found, not the first alone. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /**
   * Makes one.
   *
   * @param subject what was configured: {@code "policy qos-driven"}
   * @param problems at least one
   */
  public ConfigException(String subject, List<Problem> problems) {
    super(
        problems.stream()
            .map(problem -> subject + ": " + problem.describe())
            .collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns all problems; never empty. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One thing that is wrong.
   *
   * @param path where: {@code "config.allocationScore.leastRequested"}
   * @param value what was found there, as JSON
   * @param rule what it should have been: {@code "must be 0 or more"}
   * @param hint what the user may have meant, empty if there is no guess
   */
  public record Problem(String path, String value, String rule, String hint) {

    /** Returns the problem in a line. */
    public String describe() {
      return path + " was " + value + ", " + rule + "." + (hint.isEmpty() ? "" : " " + hint);
    }
  }
}
