package dev.berth.testkit.rule;

/** Somebody broke a rule of the contract. */
public final class RuleBroken extends AssertionError {

  private static final long serialVersionUID = 1;

  private final Rule rule;

  /**
   * Makes one.
   *
   * @param rule which
   * @param what what happened, with the values that show it: {@code "h1 holds cpu 6 of 4"}
   */
  public RuleBroken(Rule rule, String what) {
    super(rule + ": " + what);
    this.rule = rule;
  }

  /** Makes one that something else brought to light. */
  public RuleBroken(Rule rule, String what, Throwable cause) {
    super(rule + ": " + what, cause);
    this.rule = rule;
  }

  /**
   * Returns the rule that something thrown is about: the one it carries, however deep, or that
   * nothing is to be thrown ({@link Rule#P22}).
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
