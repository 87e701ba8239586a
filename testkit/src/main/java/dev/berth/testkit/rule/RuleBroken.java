package dev.berth.testkit.rule;

/** A rule of the contract is broken. */
public final class RuleBroken extends AssertionError {

  private static final long serialVersionUID = 1;

  private final Rule rule;

  /**
   * Creates a report.
   *
   * @param rule the broken rule
   * @param what the violation with its values: {@code "h1 holds cpu 6 of 4"}
   */
  public RuleBroken(Rule rule, String what) {
    super(rule + ": " + what);
    this.rule = rule;
  }

  /** Creates a report with a cause. */
  public RuleBroken(Rule rule, String what, Throwable cause) {
    super(rule + ": " + what, cause);
    this.rule = rule;
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
    return new RuleBroken(Rule.P22, "it threw " + thrown, thrown);
  }

  /** Returns the rule. */
  public Rule rule() {
    return rule;
  }
}
