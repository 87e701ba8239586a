package dev.berth.policies.qos;

/**
 * How the preemption cost of section 4.1.3 is read; a tuple, compared entry by entry, smaller is
 * better.
 */
public enum PreemptionCostReading {
  /**
   * By sums of slack: {@code Σ(φ − Q)} over P⁻ of each class, then {@code −Σ(Q − φ)} over P⁺, so
   * that violating less, and having more slack, is cheaper. The order in which the authors'
   * simulator chose.
   */
  SLACK_SUMS("slack-sums"),
  /**
   * As printed: {@code 1/Σ(Q − φ)} over P⁻ of each class, then {@code 1/Σ(Q − φ)} over P⁺, and 0
   * where there is no victim. The sums over P⁻ are negative, so whoever violates least is preempted
   * first, and a host with such a victim is preferred to one without: an erratum, kept for
   * comparison.
   */
  AS_PRINTED("as-printed");

  private final String text;

  PreemptionCostReading(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
