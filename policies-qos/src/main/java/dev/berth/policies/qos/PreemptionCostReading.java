package dev.berth.policies.qos;

/**
 * The interpretations of the preemption cost of section 4.1.3, a tuple compared entry by entry;
 * smaller is better.
 */
enum PreemptionCostReading {
  /**
   * Sums of slack: {@code Σ(φ − Q)} over P⁻ of each class, then {@code −Σ(Q − φ)} over P⁺, so that
   * less violation and more slack are cheaper. The authors' simulator uses this order.
   */
  SLACK_SUMS("slack-sums"),
  /**
   * As printed: {@code 1/Σ(Q − φ)} over P⁻ of each class, then {@code 1/Σ(Q − φ)} over P⁺, and 0
   * without victims. The sums over P⁻ are negative, so the instance that violates least is
   * preempted first, and a host with such a victim is preferred to one without. This is an erratum,
   * kept for comparison.
   */
  AS_PRINTED("as-printed"),
  /**
   * {@code −Σ(Q − φ)} over all victims, whatever their classes: Eq. 2 of the policy's first
   * publication (SBRC 2019).
   */
  ONE_SUM("one-sum");

  private final String text;

  PreemptionCostReading(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
