package dev.berth.api.pipeline;

/**
 * Says whether one instance may be preempted for another.
 *
 * <p>Called by the thread that drives the scheduler, many times in a pass; must be cheap, pure, and
 * return constants.
 */
@FunctionalInterface
public interface PreemptionRule {

  /** Judges one pair. The contest is valid during the call. */
  Verdict judge(PreemptionPair contest);

  /**
   * Returns whether it never favours who is better off: of two pending instances of one class, one
   * whose {@linkplain PreemptionPair#beneficiaryValue value} is no smaller may preempt nobody whom
   * the other may not, so that at equal values both may preempt the same. Then the engine, which
   * has found no host for the one, need not look at the same hosts for the other, if they ask for
   * the same. Constant; default no, which is always right.
   */
  default boolean isMonotone() {
    return false;
  }

  /**
   * Returns up to which {@linkplain PreemptionPair#beneficiaryValue value} of the beneficiary this
   * victim may be preempted at this time: by others of its class that ask for the same, too. Asked
   * of a pair that was just allowed, and only if the rule {@linkplain #isMonotone favours the worse
   * off}. May be too low, at the cost of judging more often, but not below the value of this one,
   * which is the default.
   */
  default long allowedUpTo(PreemptionPair contest) {
    return contest.beneficiaryValue();
  }

  /**
   * Returns until when at least a refusal stands if neither of the two changes its state: that of
   * this victim, and if it {@linkplain Verdict#closesClass closes its class}, those of all that it
   * closes. Asked of a pair that was just refused, and only if the rule {@linkplain #isMonotone
   * favours the worse off}. May be too early, at the cost of judging more often, but not before
   * now, which is the default.
   *
   * @return nanoseconds, the first instant at which it might be allowed; {@link Long#MAX_VALUE}:
   *     never
   */
  default long refusedUntil(PreemptionPair contest) {
    return contest.now();
  }

  /**
   * A judgement.
   *
   * @param allowed whether the victim may be preempted
   * @param closesClass for a refusal: whether every instance of the same class and state that comes
   *     later in the victim order would be refused too, so that the engine need not ask
   * @param code a stable word for the rule that decided
   * @param text the rule in words, to follow a count: {@code "within margin"}
   */
  record Verdict(boolean allowed, boolean closesClass, String code, String text) {

    /** The victim may be preempted by the rule named. */
    public static Verdict allow(String code, String text) {
      return new Verdict(true, false, code, text);
    }

    /** The victim may not be preempted; another of its class might. */
    public static Verdict refuse(String code, String text) {
      return new Verdict(false, false, code, text);
    }

    /** Neither the victim nor any later one of its class and state may be preempted. */
    public static Verdict refuseRest(String code, String text) {
      return new Verdict(false, true, code, text);
    }
  }
}
