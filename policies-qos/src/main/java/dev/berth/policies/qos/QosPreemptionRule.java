package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import java.util.List;

/**
 * The rule that allows preemption (section 3.3.1). Victim k may be preempted for beneficiary j if
 *
 * <ul>
 *   <li>(A) Q<sub>k</sub> ≥ φ<sub>k</sub> and Q<sub>j</sub> &lt; Q<sub>k</sub>; or
 *   <li>(B) both are below their margins and j's class is more important; or
 *   <li>(C) both are below their margins, their classes are equally important, and Q<sub>j</sub>
 *       &lt; Q<sub>k</sub>;
 * </ul>
 *
 * <p>Within a class, k is never preempted if it has lost a larger share of its service time to
 * restarts than the class allows (section 3.5.2).
 *
 * <p>A limit of preemptions, which the paper does not have, protects k from all but more important
 * instances once it was preempted that often. Without more important instances each k then keeps
 * its host, so every instance completes, even if it loses its work with each preemption.
 *
 * <p>A greater Q<sub>j</sub> never turns a refusal into a permission, so the rule is monotone.
 */
final class QosPreemptionRule implements MonotonePreemptionRule {

  private static final Verdict AHEAD =
      Verdict.allow("A", "ahead of its objective, and further than the beneficiary");
  private static final Verdict LESS_IMPORTANT =
      Verdict.allow("B", "both close to their objectives, and of a less important class");
  private static final Verdict BETTER_OFF =
      Verdict.allow("C", "both close to their objectives, equally important, and better off");

  private static final Verdict NOT_AHEAD = Verdict.refuse("not-ahead", "no better off");
  private static final Verdict NONE_AHEAD = Verdict.refuseRest("not-ahead", "no better off");
  private static final Verdict WITHIN_MARGIN = Verdict.refuseRest("within-margin", "within margin");
  private static final Verdict MORE_IMPORTANT =
      Verdict.refuseRest("more-important", "within margin and more important");
  private static final Verdict OVER_LIMIT =
      Verdict.refuse("over-overhead-limit", "over their preemption-overhead limit");

  private static final Verdict AT_PREEMPTION_LIMIT =
      Verdict.refuse("at-preemption-limit", "at their limit of preemptions");

  private final Crossings crossings;
  private final long[] margins; // by class rank, in units
  private final int[] importance;
  private final double[] limits;
  private final int maxPreemptions;

  /**
   * Creates the rule.
   *
   * @param maxPreemptions see {@link QosDrivenConfig}
   */
  QosPreemptionRule(List<ServiceClass> classes, QosUnit unit, int maxPreemptions) {
    crossings = new Crossings(unit);
    margins = classes.stream().mapToLong(each -> unit.of(each.safetyMargin())).toArray();
    importance = classes.stream().mapToInt(ServiceClass::importance).toArray();
    limits = classes.stream().mapToDouble(ServiceClass::preemptionOverheadLimit).toArray();
    this.maxPreemptions = maxPreemptions;
  }

  @Override
  public Verdict judge(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    Verdict byMetric = judge(classJ, pair.beneficiaryValue(), classK, pair.victimValue());
    if (!byMetric.allowed()) {
      return byMetric;
    }
    if (classJ == classK && pair.victimPreemptionOverhead() > limits[classK]) {
      return OVER_LIMIT;
    }
    return isAtLimit(pair) ? AT_PREEMPTION_LIMIT : byMetric;
  }

  /** Returns the same at all times at which the victim is on its host. */
  private boolean isAtLimit(PreemptionPair pair) {
    return maxPreemptions != QosDrivenConfig.UNLIMITED
        && importance[pair.beneficiaryClassRank()] >= importance[pair.victimClassRank()]
        && pair.victim().preemptions() >= maxPreemptions;
  }

  @Override
  public long allowedUpTo(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    long belowVictim = pair.victimValue() - 1;
    if (pair.victimValue() >= margins[classK]) {
      return belowVictim;
    }
    long belowMargin = margins[classJ] - 1;
    return importance[classJ] < importance[classK]
        ? belowMargin
        : Math.min(belowMargin, belowVictim);
  }

  /**
   * Q<sub>j</sub> falls with time while j waits; Q<sub>k</sub> grows by 1/σ − 1 while k runs. An
   * instance after k in victim order exceeds its margin, and Q<sub>j</sub>, later than k.
   */
  @Override
  public long refusedUntil(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    long qJ = pair.beneficiaryValue();
    long qK = pair.victimValue();
    long now = pair.now();
    Instance victim = pair.victim();
    if (judge(classJ, qJ, classK, qK).allowed()) {
      return isAtLimit(pair) ? Long.MAX_VALUE : Crossings.withinLimit(victim, limits[classK], now);
    }
    boolean runs = victim.state() == InstanceState.RUNNING;
    double parts = (double) victim.serviceClass().slo().partsPerBillion();
    long ahead = crossings.closed(now, margins[classK] - qK, runs ? (1e9 - parts) / parts : 0);
    long worseOff = crossings.closed(now, qJ - qK, runs ? 1e9 / parts : 0);
    long below = crossings.closed(now, qJ - margins[classJ], 1);
    long byMetric = Math.max(ahead, worseOff); // (A)
    if (importance[classJ] < importance[classK]) {
      return Math.min(byMetric, below); // (B)
    }
    return importance[classJ] == importance[classK]
        ? Math.min(byMetric, Math.max(below, worseOff)) // (C)
        : byMetric;
  }

  private Verdict judge(int classJ, long qJ, int classK, long qK) {
    boolean moreImportant = importance[classJ] < importance[classK];
    if (qK >= margins[classK]) {
      if (qJ < qK) {
        return AHEAD;
      }
      // Where margins differ, (B) may still hold for a victim below its own margin.
      return moreImportant && qJ < margins[classJ] ? NOT_AHEAD : NONE_AHEAD;
    }
    if (qJ >= margins[classJ]) {
      return WITHIN_MARGIN;
    }
    if (moreImportant) {
      return LESS_IMPORTANT;
    }
    if (importance[classJ] > importance[classK]) {
      return MORE_IMPORTANT;
    }
    return qJ < qK ? BETTER_OFF : NONE_AHEAD;
  }
}
