package dev.berth.api.pipeline;

import dev.berth.api.Experimental;

/**
 * A preemption rule that is monotone in the {@linkplain PreemptionPair#beneficiaryValue value of
 * the beneficiary}: a victim refused to one pending instance is refused to every pending instance
 * of its class and {@linkplain PreemptionPair#beneficiaryTier tier} with an equal or greater value.
 *
 * <p>When the engine finds no host for one request, it then skips the same hosts for equivalent
 * requests. The default methods are always right; tighter answers save more judgements.
 */
@Experimental
@FunctionalInterface
public interface MonotonePreemptionRule extends PreemptionRule {

  /**
   * Returns the greatest {@linkplain PreemptionPair#beneficiaryValue beneficiary value} for which
   * this victim may be preempted at this time. The answer holds for every equivalent request of the
   * beneficiary's class and tier. The engine asks only about a pair that was just allowed. The
   * answer may be too low, which costs more judgements, but not below the value of this
   * beneficiary. That value is the default.
   */
  default long allowedUpTo(PreemptionPair pair) {
    return pair.beneficiaryValue();
  }

  /**
   * Returns the time until which a refusal holds at least, if neither instance changes its state.
   * If the verdict {@linkplain PreemptionRule.Verdict#closesClass closes the class}, the answer
   * covers all victims that it closes. The engine asks only about a pair that was just refused. The
   * answer may be too early, which costs more judgements, but not before now. Now is the default.
   *
   * @return nanoseconds, the first instant at which the pair might be allowed; {@link
   *     Long#MAX_VALUE} for never
   */
  default long refusedUntil(PreemptionPair pair) {
    return pair.now();
  }
}
