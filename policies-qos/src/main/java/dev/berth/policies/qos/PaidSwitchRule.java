package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * The {@linkplain QosPreemptionRule rule of the paper} for switches that cost time. Victim k may be
 * preempted for beneficiary j if
 *
 * <ul>
 *   <li>j's class is more important, j is below its margin, and the rule of the paper allows it; or
 *   <li>(A) Q<sub>k</sub> ≥ φ<sub>k</sub> and Q<sub>k</sub> − Q<sub>j</sub> exceeds the {@linkplain
 *       SwitchPrice price of a switch}; or
 *   <li>(C) both are below their margins, their classes are equally important, and the difference
 *       exceeds the price.
 * </ul>
 *
 * <p>k is protected from all but more important instances while its restarts, less an average one,
 * have taken more than twice the restart share of its life. As in the paper, it is protected from
 * its own class while its restarts exceed the limit of the class.
 *
 * <p>Values are those of {@link PaidSwitchOrder}: that of a beneficiary contains the price.
 */
final class PaidSwitchRule implements MonotonePreemptionRule {

  /** The greatest share of a life that restarts may take, as a multiple of the restart share. */
  static final int MOST_SHARES = 2;

  private static final Verdict AHEAD =
      Verdict.allow("A", "ahead of its objective, and further than a switch costs");
  private static final Verdict LESS_IMPORTANT =
      Verdict.allow("B", "both close to their objectives, and of a less important class");
  private static final Verdict BETTER_OFF =
      Verdict.allow(
          "C",
          "both close to their objectives, equally important, and better off by more than a switch costs");

  private static final Verdict NOT_AHEAD = Verdict.refuse("not-ahead", "no better off");
  private static final Verdict NOT_WORTH_IT =
      Verdict.refuseRest("not-worth-a-switch", "not better off by what a switch costs");
  private static final Verdict WITHIN_MARGIN = Verdict.refuseRest("within-margin", "within margin");
  private static final Verdict MORE_IMPORTANT =
      Verdict.refuseRest("more-important", "within margin and more important");
  private static final Verdict OVER_LIMIT =
      Verdict.refuse("over-overhead-limit", "over their preemption-overhead limit");
  private static final Verdict OVER_RESTART_SHARE =
      Verdict.refuse("over-restart-share", "restarted too often for the length of their lives");

  private final SwitchPrice price;
  private final Crossings crossings;
  private final double unit; // ns
  private final long[] margins; // by class rank, in units
  private final int[] importance;
  private final double[] limits;
  private final double mostRestarts; // the greatest share of a life

  PaidSwitchRule(
      QosHysteresisConfig config, List<ServiceClass> classes, QosUnit unit, SwitchPrice price) {
    this.price = price;
    this.crossings = new Crossings(unit);
    this.unit = unit.nanos();
    margins = classes.stream().mapToLong(each -> unit.of(each.safetyMargin())).toArray();
    importance = classes.stream().mapToInt(ServiceClass::importance).toArray();
    limits = classes.stream().mapToDouble(ServiceClass::preemptionOverheadLimit).toArray();
    mostRestarts = MOST_SHARES * config.restartShare();
  }

  @Override
  public Verdict judge(PreemptionPair pair) {
    Verdict byMetric = judgeByMetric(pair);
    if (!byMetric.allowed() || isForMoreImportant(pair)) {
      return byMetric;
    }
    int classK = pair.victimClassRank();
    double overhead = pair.victimPreemptionOverhead();
    if (pair.beneficiaryClassRank() == classK && overhead > limits[classK]) {
      return OVER_LIMIT;
    }
    // A life is at least the service and the restarts. So most victims need not be looked up.
    if (overhead > mostRestarts && isOverRestartShare(pair.victim(), pair.now())) {
      return OVER_RESTART_SHARE;
    }
    return byMetric;
  }

  private boolean isForMoreImportant(PreemptionPair pair) {
    return importance[pair.beneficiaryClassRank()] < importance[pair.victimClassRank()];
  }

  private Verdict judgeByMetric(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    long qK = pair.victimValue();
    boolean ahead = qK >= margins[classK];
    boolean endangered = metricOfBeneficiary(pair) < margins[classJ];
    if (endangered && isForMoreImportant(pair)) {
      if (!ahead) {
        return LESS_IMPORTANT;
      }
      // Where margins differ, a later victim may be below its own.
      return metricOfBeneficiary(pair) < qK ? AHEAD : NOT_AHEAD;
    }
    if (pair.beneficiaryValue() >= qK) {
      return NOT_WORTH_IT;
    }
    if (ahead) {
      return AHEAD;
    }
    if (!endangered) {
      return WITHIN_MARGIN;
    }
    return importance[classJ] == importance[classK] ? BETTER_OFF : MORE_IMPORTANT;
  }

  /** Returns Q of the beneficiary, or a little more if its price is learnt. */
  private long metricOfBeneficiary(PreemptionPair pair) {
    return pair.beneficiaryValue() - price.least(pair.beneficiaryClassRank());
  }

  private boolean isOverRestartShare(Instance victim, long now) {
    double life = (double) (now - victim.admittedAt());
    return restartsToCarry(victim) > mostRestarts * life;
  }

  /** Returns the time that its restarts took, less an average one, in nanoseconds. */
  private static double restartsToCarry(Instance victim) {
    double restarts = victim.preemptions();
    return restarts == 0 ? 0 : (double) victim.restartOverhead() * (restarts - 1) / restarts;
  }

  @Override
  public String explain(PreemptionPair pair, Verdict verdict) {
    long costs = price.of(pair.beneficiary());
    long gain = pair.victimValue() - (pair.beneficiaryValue() - costs);
    return verdict.equals(NOT_WORTH_IT) && gain > 0
        ? "would gain %s, a switch costs %s".formatted(seconds(gain), seconds(costs))
        : verdict.text();
  }

  private String seconds(long units) {
    double seconds = (double) units * unit / 1e9;
    int digits = seconds < 10 ? 1 : 0;
    return BigDecimal.valueOf(seconds).setScale(digits, RoundingMode.HALF_EVEN) + " s";
  }

  @Override
  public long allowedUpTo(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    long qK = pair.victimValue();
    boolean ahead = qK >= margins[pair.victimClassRank()];
    long least = price.least(classJ);
    long endangered = margins[classJ] + least;
    if (isForMoreImportant(pair)) {
      return (ahead ? Math.max(qK, Math.min(endangered, qK + least)) : endangered) - 1;
    }
    return (ahead ? qK : Math.min(endangered, qK)) - 1;
  }

  /**
   * Q<sub>j</sub> falls with time while j waits; Q<sub>k</sub> grows by 1/σ − 1 while k runs. An
   * instance after k in victim order exceeds its margin, and j's value, later than k.
   */
  @Override
  public long refusedUntil(PreemptionPair pair) {
    Instance victim = pair.victim();
    long now = pair.now();
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    if (judgeByMetric(pair).allowed()) {
      return Math.max(now, protectedUntil(victim, classJ == classK ? limits[classK] : 1, now));
    }
    boolean runs = victim.state() == InstanceState.RUNNING;
    double parts = (double) victim.serviceClass().slo().partsPerBillion();
    long qK = pair.victimValue();
    long ahead = crossings.closed(now, margins[classK] - qK, runs ? (1e9 - parts) / parts : 0);
    long worth = crossings.closed(now, pair.beneficiaryValue() - qK, runs ? 1e9 / parts : 0);
    long endangered = crossings.closed(now, metricOfBeneficiary(pair) - margins[classJ], 1);
    long byMetric = Math.max(ahead, worth); // (A)
    if (importance[classJ] < importance[classK]) {
      return Math.min(byMetric, endangered); // (B), or (A) at no price
    }
    return importance[classJ] == importance[classK]
        ? Math.min(byMetric, Math.max(endangered, worth)) // (C)
        : byMetric;
  }

  private long protectedUntil(Instance victim, double limit, long now) {
    long carried = Crossings.after(victim.admittedAt(), restartsToCarry(victim) / mostRestarts);
    return Math.max(carried, Crossings.withinLimit(victim, limit, now));
  }
}
