package dev.berth.api.pipeline;

/**
 * Decides whether one instance may be preempted for another.
 *
 * <p>The scheduler's thread calls it many times in a pass. It must be cheap and pure, and should
 * return constants.
 *
 * <p>A rule that never favours the beneficiary with the greater value should implement {@link
 * MonotonePreemptionRule}, so that the engine need not repeat searches that cannot succeed.
 */
@FunctionalInterface
public interface PreemptionRule {

  /**
   * Judges one pair.
   *
   * @param pair valid during the call
   */
  Verdict judge(PreemptionPair pair);

  /**
   * Returns a verdict on this pair in words, for explanations; default its text.
   *
   * @param pair valid during the call
   * @param verdict what {@link #judge} has just answered
   */
  default String explain(PreemptionPair pair, Verdict verdict) {
    return verdict.text();
  }

  /**
   * The judgement of one pair.
   *
   * @param allowed whether the victim may be preempted
   * @param closesClass for a refusal: whether the rule would also refuse every later instance in
   *     the victim order that has the same class and state; the engine then skips them
   * @param code a stable word for the rule that decided
   * @param text the rule in words, to follow a count: {@code "within margin"}
   */
  record Verdict(boolean allowed, boolean closesClass, String code, String text) {

    /** Allows the preemption by the named rule. */
    public static Verdict allow(String code, String text) {
      return new Verdict(true, false, code, text);
    }

    /** Refuses this victim; another victim of its class may still be allowed. */
    public static Verdict refuse(String code, String text) {
      return new Verdict(false, false, code, text);
    }

    /** Refuses this victim and every later one of its class and state. */
    public static Verdict refuseRest(String code, String text) {
      return new Verdict(false, true, code, text);
    }
  }
}
